import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { SalesReport } from '../../src/sales/report.ts';
import { today as todayIn } from '../format/days.ts';
import { zoneName } from '../format/time-zones.ts';
import { useSession } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { DownloadCsv } from './download-csv.tsx';
import { PeriodSummary } from './period-summary.tsx';
import { ProductSalesPanel } from './product-sales-panel.tsx';
import { reportQuery } from './queries.ts';
import { RangeControls } from './range-controls.tsx';
import { shownRange } from './ranges.ts';
import styles from './sales.module.css';
import { SalesTable } from './sales-table.tsx';
import { SchedulesPanel } from './schedules-panel.tsx';
import type { SalesSearch } from './search.ts';

const SalesCharts = lazy(() => import('./sales-charts.tsx'));
const route = getRouteApi('/signed-in/sales');
const columns = ['from', 'to', 'schedules', 'sell_rate', 'asp', 'product_rating', 'total_sales'] as const;
const titles = { day: 'Daily totals', week: 'Weekly totals', month: 'Monthly totals' };

export function Page() {
  const search = route.useSearch();
  const { merchant } = useSession();
  const today = todayIn(merchant.time_zone);
  const shown = shownRange(search, today);
  const { data: report, error, refetch } = useQuery(reportQuery(shown));
  const hasNone = report !== undefined && report.first_month === null;
  return (
    <>
      <PageHeader
        lead={`${zoneName(merchant.time_zone)} time · ${merchant.currency}`}
        actions={!hasNone && <Download report={report} />}
      />
      {!hasNone && <RangeControls search={search} shown={shown} today={today} />}
      {report === undefined && error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : hasNone ? (
        <Panel>
          <EmptyState
            Icon={IconChartLine}
            title="No sales yet"
            description="Sales appear after your first auction."
          />
        </Panel>
      ) : (
        <Results search={search} days={{ from: shown.from ?? report?.from, to: shown.to }} report={report} />
      )}
    </>
  );
}

interface ResultsProps {
  search: SalesSearch;
  /** Without `from` until the first day is known. */
  days: { from: string | undefined; to: string };
  report: SalesReport | undefined;
}

function Results({ search, days, report }: ResultsProps) {
  const title = titles[report?.unit ?? 'month'];
  return (
    <div className="parts">
      {(search.month !== undefined || search.product !== undefined) && (
        <SchedulesPanel search={search} days={days} total={schedulesIn(search.month, report)} />
      )}
      {report !== undefined && <PeriodSummary report={report} />}
      {report === undefined ? (
        <ChartsSkeleton />
      ) : (
        <Suspense fallback={<ChartsSkeleton />}>
          <SalesCharts report={report} />
        </Suspense>
      )}
      <Panel title={title} flush>
        {report === undefined ? (
          <TableSkeleton rows={12} height="2.6rem" />
        ) : (
          <SalesTable report={report} label={`Table of ${title.toLowerCase()}`} search={search} />
        )}
      </Panel>
      <ProductSalesPanel search={search} days={days} />
    </div>
  );
}

/** The number of a month's auctions, if the report has it. */
function schedulesIn(month: string | undefined, report: SalesReport | undefined): number | undefined {
  if (month === undefined || report?.unit !== 'month') return undefined;
  return report.periods.find(({ from }) => from === `${month}-01`)?.sales.schedules;
}

/** Saves the periods with auctions, as the API returns months. */
function Download({ report }: { report: SalesReport | undefined }) {
  const periods = report?.periods.filter(({ sales }) => sales.schedules > 0);
  const rows = periods?.map(({ from, to, sales }) => ({ from, to, ...sales }));
  return <DownloadCsv name={`sales-${report?.from}-${report?.to}`} columns={columns} rows={rows} />;
}

/** A placeholder with the height of the charts. */
function ChartsSkeleton() {
  return (
    <div className={styles.charts} aria-busy="true">
      {['total', 'schedules', 'price', 'rating'].map((chart) => (
        <div key={chart} className={styles.skeleton}>
          <Skeleton height={16} width={140} mb={20} />
          <Skeleton height={230} />
        </div>
      ))}
    </div>
  );
}
