import { Button, Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { SalesView } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { useSession } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconChartLine, IconDownload } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { downloadSales } from './download-sales.ts';
import styles from './sales.module.css';
import { SalesTable } from './sales-table.tsx';

const salesQuery = queryOptions({
  queryKey: ['sales'],
  queryFn: ({ signal }) => request<SalesView>('sales', { signal }),
});

const SalesCharts = lazy(() => import('./sales-charts.tsx'));

export function Page() {
  const { data, error, refetch } = useQuery(salesQuery);
  const { merchant } = useSession();
  const months = data?.months;
  return (
    <>
      <PageHeader
        title="Sales"
        lead={`By calendar month, ${merchant.time_zone} time.`}
        actions={
          <Button
            variant="default"
            disabled={months === undefined || months.length === 0}
            leftSection={<IconDownload size={17} aria-hidden="true" />}
            onClick={() => months && downloadSales(months)}
          >
            Download CSV
          </Button>
        }
      />
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
        <div className={styles.parts}>
          {months === undefined ? (
            <ChartsSkeleton />
          ) : (
            <Suspense fallback={<ChartsSkeleton />}>
              <SalesCharts months={months} />
            </Suspense>
          )}
          <Panel title="Monthly figures" flush>
            {months === undefined ? (
              <TableSkeleton rows={12} height="2.6rem" />
            ) : (
              <SalesTable months={months} />
            )}
          </Panel>
        </div>
      )}
    </>
  );
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
