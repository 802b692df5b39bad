import { Link } from '@tanstack/react-router';
import { campaignStatuses } from '../../../src/campaigns/campaign.ts';
import { statusLabels } from '../../campaigns/campaign-status.tsx';
import styles from '../../ui/status-tabs.module.css';

/** Links to the campaigns of each state. There are no numbers: counting all campaigns takes too long. */
export function StateTabs() {
  return (
    <nav aria-label="State" className={styles.tabs}>
      <Link
        to="/campaigns"
        className={styles.tab ?? ''}
        activeOptions={{ exact: true, explicitUndefined: true }}
        resetScroll={false}
      >
        All
      </Link>
      {campaignStatuses.map((state) => (
        <Link
          key={state}
          to="/campaigns"
          search={{ state }}
          className={styles.tab ?? ''}
          activeOptions={{ exact: true }}
          resetScroll={false}
        >
          {statusLabels[state]}
        </Link>
      ))}
    </nav>
  );
}
