import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import styles from './status-tabs.module.css';

export interface StatusTab {
  /** The status in the URL; undefined for the tab that the URL without a status shows. */
  status?: string | undefined;
  label: string;
  /** Undefined while it loads. */
  count: number | undefined;
}

interface Props {
  to: '/products' | '/campaigns' | '/orders';
  search: { status?: string; page?: string };
  tabs: readonly StatusTab[];
}

/** Links to the first page of the entries with each status, with their numbers. */
export function StatusTabs({ to, search, tabs }: Props) {
  const { whole } = useFormats();
  const { page: _, status: current, ...rest } = search;
  return (
    <nav aria-label="Status" className={styles.tabs}>
      {tabs.map(({ status, label, count }) => (
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
      ))}
    </nav>
  );
}

/** Returns a tab for all entries, and one for each status. */
export function tabsOf(
  labels: Readonly<Record<string, string>>,
  counts: { all: number; by_status: Readonly<Record<string, number>> } | undefined,
): StatusTab[] {
  const ofStatuses = Object.entries(labels).map(([status, label]) => ({
    status,
    label,
    count: counts?.by_status[status],
  }));
  return [{ label: 'All', count: counts?.all }, ...ofStatuses];
}
