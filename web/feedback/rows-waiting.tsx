import { Skeleton } from '@mantine/core';
import styles from './rows-waiting.module.css';

/** Stands in a table's place while its rows are on their way. */
export function RowsWaiting({ rows, height = '3.4rem' }: { rows: number; height?: string }) {
  return (
    <div aria-busy="true" className={styles.rows}>
      <span className="unseen">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={styles.row} style={{ height }}>
          <Skeleton height={13} width="34%" />
          <Skeleton height={13} width="16%" />
          <Skeleton height={13} width="12%" />
          <Skeleton height={13} width="10%" />
        </div>
      ))}
    </div>
  );
}
