import type { Campaign } from '../../src/campaigns/campaign.ts';
import { dayIn } from '../../src/merchants/time-zone.ts';
import type { DayRange } from '../../src/sales/report.ts';
import { rangeOf } from '../format/day-ranges.ts';
import { useSession } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { DaysPanel } from './days-panel.tsx';
import { LinesPanel } from './lines-panel.tsx';
import { ProductsPanel } from './products-panel.tsx';
import type { ResultsSearch } from './queries.ts';
import { ResultsPanel } from './results-panel.tsx';

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
}

/** What a campaign's placements cost and sold, by day and by product. */
export function CampaignResults({ campaign, search }: Props) {
  const { range, today } = useDays(search);
  if (campaign.placements === 0) return <NoPlacements campaign={campaign} />;
  const shown = { campaign, search, range };
  return (
    <>
      <ResultsPanel {...shown} today={today} />
      <ProductsPanel {...shown} />
      <DaysPanel {...shown} today={today} />
    </>
  );
}

/** The placements behind the figure that was chosen; nothing if none was. */
export function ChosenPlacements({ campaign, search }: Props) {
  const { range } = useDays(search);
  const { day, product, lines } = search;
  if (day === undefined && product === undefined && lines === undefined) return null;
  return <LinesPanel campaign={campaign} search={search} range={range} />;
}

function useDays(search: ResultsSearch): { range: DayRange; today: string } {
  const { time_zone: timeZone } = useSession().merchant;
  const today = dayIn(timeZone)(Date.now());
  return { range: rangeOf(search.range, today), today };
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
