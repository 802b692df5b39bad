import { Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Overview } from '../../src/console/catalog-api.ts';
import { request } from '../server/request.ts';
import { useAllows } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { AdsMonth } from './ads-month.tsx';
import { AttentionList } from './attention-list.tsx';
import { GetStarted } from './get-started.tsx';
import { LowStock } from './low-stock.tsx';
import { MonthFigures } from './month-figures.tsx';
import { OrdersToShip } from './orders-to-ship.tsx';
import styles from './overview.module.css';
import { RecentActivity } from './recent-activity.tsx';
import { ShopSummary } from './shop-summary.tsx';
import { TopProducts } from './top-products.tsx';

const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request<Overview>('overview', { signal }),
});

export function Page() {
  const { merchant } = useSession();
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      <PageHeader lead={merchant.name} />
      {data !== undefined ? (
        <Content overview={data} />
      ) : error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : (
        <OverviewSkeleton />
      )}
    </>
  );
}

function Content({ overview }: { overview: Overview }) {
  // The steps need the role.
  const isOwner = useAllows('owner');
  const { products, keys, attention, orders } = overview;
  const isEmpty = products.all === 0 && orders.all === 0;
  return (
    <div className="parts">
      {(attention.length > 0 || !isEmpty) && <AttentionList attention={attention} />}
      {isOwner && (products.all === 0 || keys.active === 0 || keys.last_used_at === null) && (
        <GetStarted overview={overview} />
      )}
      {orders.all > 0 && <OrdersToShip orders={orders} />}
      <MonthFigures overview={overview} />
      <div className={styles.columns}>
        <div className="parts">
          <LowStock products={overview.low_inventory} />
          <TopProducts hasSales={overview.last_days !== null || overview.this_month !== null} />
        </div>
        <div className="parts">
          <AdsMonth ads={overview.ads} />
          <ShopSummary overview={overview} />
          <RecentActivity entries={overview.recent} />
        </div>
      </div>
    </div>
  );
}

function OverviewSkeleton() {
  return (
    <div className="parts" aria-busy="true">
      <Panel flush>
        <TableSkeleton rows={3} />
      </Panel>
      <div className={styles.figuresSkeleton}>
        <Skeleton height="100%" radius="md" />
      </div>
      <div className={styles.columns}>
        <Panel flush>
          <TableSkeleton rows={8} />
        </Panel>
        <Panel flush>
          <TableSkeleton rows={8} />
        </Panel>
      </div>
    </div>
  );
}
