import { Skeleton } from '@mantine/core';
import styles from './table-skeleton.module.css';

/** A placeholder for a table while its rows load. */
export function TableSkeleton({ rows, height = '3.4rem' }: { rows: number; height?: string }) {
  return (
    <div aria-busy="true" className={styles.rows}>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
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
