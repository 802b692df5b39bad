import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import styles from './status-tabs.module.css';

interface Props {
  to: '/products' | '/campaigns';
  search: { status?: string; page?: string };
  /** The label of each status. */
  labels: Readonly<Record<string, string>>;
  counts: { all: number; by_status: Readonly<Record<string, number>> } | undefined;
}

/** Links to the first page of the entries with each status, and of all entries, with their numbers. */
export function StatusTabs({ to, search, labels, counts }: Props) {
  const { whole } = useFormats();
  const { page: _, status: current, ...rest } = search;
  const tab = (status: string | undefined, label: string, count: number | undefined) => (
    <Link
      key={label}
      to={to}
      search={status === undefined ? rest : { ...rest, status }}
      className={styles.tab ?? ''}
      activeOptions={{ exact: true }}
      aria-current={status === current ? 'page' : undefined}
      resetScroll={false}
    >
      {label}
      <span className={styles.count}>{count === undefined ? '\u2007' : whole(count)}</span>
    </Link>
  );
  return (
    <nav aria-label="Status" className={styles.tabs}>
      {tab(undefined, 'All', counts?.all)}
      {Object.entries(labels).map(([status, label]) => tab(status, label, counts?.by_status[status]))}
    </nav>
  );
}
