import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { monthIn } from '../../src/merchants/time-zone.ts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
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
import { type SalesSearch, salesQuery } from './queries.ts';
import styles from './sales.module.css';
import { SalesTable } from './sales-table.tsx';
import { SchedulesPanel } from './schedules-panel.tsx';

const SalesCharts = lazy(() => import('./sales-charts.tsx'));
const route = getRouteApi('/signed-in/sales');
const columns = ['month', 'schedules', 'sell_rate', 'asp', 'product_rating', 'total_sales'] as const;
const ranges = [
  { value: '', label: 'All months' },
  { value: '3', label: 'Last 3 months' },
  { value: '6', label: 'Last 6 months' },
  { value: '12', label: 'Last 12 months' },
  { value: '24', label: 'Last 24 months' },
];

export function Page() {
  const search = route.useSearch();
  const { data: all, error, refetch } = useQuery(salesQuery);
  const { merchant } = useSession();
  const months = all === undefined ? undefined : latest(all, search);
  const lead = `Monthly · ${zoneName(merchant.time_zone)} time · ${merchant.currency}`;
  const thisMonth = monthIn(merchant.time_zone)(Date.now());
  return (
    <>
      <PageHeader lead={lead} actions={<Actions search={search} months={months} />} />
      {months === undefined && error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : months?.length === 0 ? (
        <Panel>
          <EmptyState
            Icon={IconChartLine}
            title="No sales yet"
            description="Sales appear after your first auction."
          />
        </Panel>
      ) : (
        <div className="parts">
          {(search.month !== undefined || search.product !== undefined) && (
            <SchedulesPanel
              search={search}
              total={all?.find(({ month }) => month === search.month)?.schedules}
            />
          )}
          {months !== undefined && (
            <PeriodSummary months={months} earlier={before(all ?? [], months)} thisMonth={thisMonth} />
          )}
          {months === undefined ? (
            <ChartsSkeleton />
          ) : (
            <Suspense fallback={<ChartsSkeleton />}>
              <SalesCharts months={months} thisMonth={thisMonth} />
            </Suspense>
          )}
          <Panel title="Monthly totals" flush>
            {months === undefined ? (
              <TableSkeleton rows={12} height="2.6rem" />
            ) : (
              <SalesTable months={months} thisMonth={thisMonth} search={search} />
            )}
          </Panel>
          <ProductSalesPanel search={search} />
        </div>
      )}
    </>
  );
}

/** The choice of months, and their download. */
function Actions({ search, months }: { search: SalesSearch; months: MonthlySales[] | undefined }) {
  const navigate = useNavigate();
  return (
    <>
      <NativeSelect
        aria-label="Months"
        value={search.months ?? ''}
        data={ranges}
        onChange={(event) =>
          void navigate({ to: '/sales', search: { ...search, months: event.currentTarget.value } })
        }
      />
      <DownloadCsv name={`sales-${months?.at(-1)?.month}`} columns={columns} rows={months} />
    </>
  );
}

/** Returns the months that are shown. */
function latest(months: MonthlySales[], { months: range }: SalesSearch): MonthlySales[] {
  const count = Number(range);
  return count > 0 ? months.slice(-count) : months;
}

/** Returns as many months before the shown ones, if there are as many. */
function before(all: readonly MonthlySales[], shown: readonly MonthlySales[]): readonly MonthlySales[] {
  const end = all.length - shown.length;
  return end < shown.length ? [] : all.slice(end - shown.length, end);
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
