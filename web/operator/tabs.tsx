import { Link } from '@tanstack/react-router';
import styles from '../ui/status-tabs.module.css';

interface Props {
  to: '/campaigns' | '/imports' | '/webhooks';
  /** The tab that the URL without a state shows first. */
  tabs: readonly { state: string | undefined; label: string }[];
  current: string | undefined;
  /** The rest of the URL’s query. */
  rest?: Readonly<Record<string, string>>;
}

/** Links to the list of each state. */
export function StateTabs({ to, tabs, current, rest = {} }: Props) {
  return (
    <nav aria-label="State" className={styles.tabs}>
      {tabs.map(({ state, label }) => (
        <Link
          key={label}
          to={to}
          search={state === undefined ? rest : { ...rest, state }}
          className={styles.tab ?? ''}
          activeOptions={{ exact: true }}
          aria-current={state === current ? 'page' : undefined}
          resetScroll={false}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
