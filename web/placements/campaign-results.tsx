import type { Campaign } from '../../src/campaigns/campaign.ts';
import { dayIn } from '../../src/merchants/time-zone.ts';
import { useSession } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { DaysPanel } from './days-panel.tsx';
import { LinesPanel } from './lines-panel.tsx';
import { ProductsPanel } from './products-panel.tsx';
import type { ResultsSearch } from './queries.ts';
import { rangeOf } from './ranges.ts';
import { ResultsPanel } from './results-panel.tsx';

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
}

/** What a campaign's placements cost and sold, by day and by product, and the placements themselves. */
export function CampaignResults({ campaign, search }: Props) {
  const { time_zone: timeZone } = useSession().merchant;
  const today = dayIn(timeZone)(Date.now());
  const range = rangeOf(search.range, today);
  const { day, product, lines } = search;
  const showsLines = day !== undefined || product !== undefined || lines !== undefined;
  if (campaign.placements === 0 && !showsLines) return <NoPlacements campaign={campaign} />;
  const shown = { campaign, search, range };
  return (
    <>
      {showsLines && <LinesPanel {...shown} />}
      <ResultsPanel {...shown} today={today} />
      <ProductsPanel {...shown} />
      <DaysPanel {...shown} today={today} />
    </>
  );
}

function NoPlacements({ campaign: { limited_by: limit } }: { campaign: Campaign }) {
  return (
    <Panel title="Results">
      <EmptyState
        Icon={IconChartLine}
        title="No placements yet"
        description={
          limit === null
            ? 'Spend and sales appear here as soon as a product is placed. A higher bid wins more places.'
            : 'Spend and sales appear here once the campaign can run: see its status above.'
        }
      />
    </Panel>
  );
}
