import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignPerformance } from '../../src/placements/performance/campaign-performance.ts';
import type { DayRange } from '../../src/sales/report.ts';
import { daysOf, ranges } from '../format/day-ranges.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { figures } from './figures.ts';
import { linkToPlacements } from './link-to-placements.tsx';
import styles from './placements.module.css';
import { type ResultsSearch, resultsQuery } from './queries.ts';

const SpendChart = lazy(() => import('./spend-chart.tsx'));

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
  range: DayRange;
  today: string;
}

/** What a campaign cost and sold in a range of days, and its spend by day. */
export function ResultsPanel({ campaign, search, range, today }: Props) {
  const total = useQuery(resultsQuery(campaign.internal_id, range, 'total'));
  return (
    <Panel title="Results" aside={<RangeChoice campaign={campaign} search={search} />}>
      <Loaded query={total} skeleton={<ResultsSkeleton />}>
        {({ results: [figuresOfRange] }) =>
          figuresOfRange === undefined || figuresOfRange.placements === 0 ? (
            <EmptyState
              Icon={IconChartLine}
              title="No placements in these days"
              description="Choose a longer range to see earlier results."
            />
          ) : (
            <>
              <Figures result={figuresOfRange} campaign={campaign} search={search} range={range} />
              <Link
                to="/campaigns/$campaign"
                params={{ campaign: campaign.internal_id }}
                search={{ ...search, day: '', product: '', lines: 'range' }}
                className="small"
              >
                Show placements
              </Link>
              <ByDay campaign={campaign} range={range} today={today} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function RangeChoice({ campaign, search }: Pick<Props, 'campaign' | 'search'>) {
  const navigate = useNavigate();
  const { range = '' } = search;
  return (
    <NativeSelect
      aria-label="Days"
      value={range}
      data={withCurrent(ranges, range)}
      onChange={(event) =>
        void navigate({
          to: '/campaigns/$campaign',
          params: { campaign: campaign.internal_id },
          search: { ...search, day: '', range: event.currentTarget.value },
          resetScroll: false,
        })
      }
    />
  );
}

function Figures({
  result,
  campaign: { internal_id: id },
  search,
  range: { from, to },
}: Omit<Props, 'today'> & { result: CampaignPerformance }) {
  const formats = useFormats();
  return (
    <dl className={styles.figures}>
      {figures.map(({ field, label, format }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            <ExplainedFigure
              query={{ figure: `performance.${field}`, internal_id: id, from, to }}
              linkTo={linkToPlacements(id, search, { lines: 'range' })}
            >
              {valueOrDash(result[field], format(formats))}
            </ExplainedFigure>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ByDay({ campaign, range, today }: Pick<Props, 'campaign' | 'range' | 'today'>) {
  const { money } = useFormats();
  const { daily_budget: budget } = campaign;
  const days = useQuery(resultsQuery(campaign.internal_id, range, 'day'));
  return (
    <div>
      <p className={styles.legend}>
        <span>
          <span className={styles.barSample} />
          Spend by day
        </span>
        {budget !== null && (
          <span>
            <span className={styles.lineSample} />
            Daily budget, {money(budget)}
          </span>
        )}
      </p>
      <div className={styles.chart}>
        <Loaded query={days} skeleton={<Skeleton height="100%" />}>
          {({ results }) => (
            <Suspense fallback={<Skeleton height="100%" />}>
              <SpendChart days={daysOf(range)} results={results} budget={budget} today={today} />
            </Suspense>
          )}
        </Loaded>
      </div>
    </div>
  );
}

/** A placeholder with the height of the figures and the chart. */
function ResultsSkeleton() {
  return (
    <div aria-busy="true" className={styles.skeleton}>
      <Skeleton height="3.2rem" />
      <Skeleton height="17.5rem" mt="1.2rem" />
    </div>
  );
}
