import { Link } from '@tanstack/react-router';
import { campaignStatuses } from '../../src/campaigns/campaign.ts';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import tabs from '../ui/tabs.module.css';
import { statusLabels } from './campaign-status.tsx';
import type { CampaignsSearch } from './queries.ts';

/** Links to the campaigns of each status. */
export function StatusTabs({
  search,
  counts,
}: {
  search: CampaignsSearch;
  counts?: CampaignPage['counts'] | undefined;
}) {
  const { whole } = useFormats();
  const { page: _, status: current, ...rest } = search;
  return (
    <nav aria-label="Status" className={tabs.tabs}>
      {[undefined, ...campaignStatuses].map((status) => {
        const count = status === undefined ? counts?.all : counts?.by_status[status];
        return (
          <Link
            key={status ?? 'all'}
            to="/campaigns"
            search={status === undefined ? rest : { ...rest, status }}
            className={tabs.tab ?? ''}
            activeOptions={{ exact: true }}
            aria-current={status === current ? 'page' : undefined}
            resetScroll={false}
          >
            {status === undefined ? 'All' : statusLabels[status]}
            <span className={tabs.count}>{count === undefined ? '\u2007' : whole(count)}</span>
          </Link>
        );
      })}
    </nav>
  );
}
