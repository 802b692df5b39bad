import { Button, Skeleton } from '@mantine/core';
import { IconChartLine, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { useSession } from '../session/session.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
import { downloadSales } from './download-sales.ts';
import { salesQuery } from './queries.ts';
import styles from './sales.module.css';
import { SalesTable } from './sales-table.tsx';

const SalesCharts = lazy(() => import('./sales-charts.tsx'));

export function Page() {
  const { data, error, refetch } = useQuery(salesQuery);
  const { merchant } = useSession();
  const months = data?.months;
  return (
    <>
      <PageHeader
        title="Sales"
        lead={`By calendar month in ${merchant.time_zone}.`}
        actions={
          <Button
            variant="default"
            disabled={months === undefined || months.length === 0}
            leftSection={<IconDownload size={17} aria-hidden="true" />}
            onClick={() => months && downloadSales(months)}
          >
            Download as CSV
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
            words="As soon as one of your products has been scheduled into an auction, its month is shown here."
          />
        </Panel>
      ) : (
        <div className={styles.parts}>
          {months === undefined ? (
            <ChartsWaiting />
          ) : (
            <Suspense fallback={<ChartsWaiting />}>
              <SalesCharts months={months} />
            </Suspense>
          )}
          <Panel title="Month by month" flush>
            {months === undefined ? (
              <RowsWaiting rows={12} height="2.6rem" />
            ) : (
              <SalesTable months={months} />
            )}
          </Panel>
        </div>
      )}
    </>
  );
}

/** As high as what takes its place. */
function ChartsWaiting() {
  return (
    <div className={styles.charts} aria-busy="true">
      {['total', 'schedules', 'price', 'rating'].map((chart) => (
        <div key={chart} className={styles.waiting}>
          <Skeleton height={16} width={140} mb={20} />
          <Skeleton height={230} />
        </div>
      ))}
    </div>
  );
}
