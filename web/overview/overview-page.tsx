import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../src/console/console-api.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { useSession } from '../session/session.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
import { LowInventory } from './low-inventory.tsx';
import { MonthFigures } from './month-figures.tsx';
import { NextSteps } from './next-steps.tsx';
import styles from './overview.module.css';
import { overviewQuery } from './queries.ts';
import { RecentActivity } from './recent-activity.tsx';
import { Stock } from './stock.tsx';

export function Page() {
  const { merchant } = useSession();
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      <PageHeader title="Overview" lead={merchant.name} />
      {data !== undefined ? (
        <Content overview={data} />
      ) : error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : (
        <Waiting />
      )}
    </>
  );
}

function Content({ overview }: { overview: Overview }) {
  const { products, keys, this_month: now, last_month: before } = overview;
  return (
    <div className={styles.parts}>
      {(products.all === 0 || keys.active === 0 || keys.last_used_at === null) && (
        <NextSteps overview={overview} />
      )}
      {(now !== null || before !== null) && <MonthFigures now={now} before={before} />}
      <div className={styles.columns}>
        <LowInventory products={overview.low_inventory} />
        <div className={styles.parts}>
          <Stock overview={overview} />
          <RecentActivity entries={overview.recent} />
        </div>
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div className={styles.parts} aria-busy="true">
      <div className={styles.figuresWaiting}>
        <Skeleton height="100%" radius="md" />
      </div>
      <div className={styles.columns}>
        <Panel flush>
          <RowsWaiting rows={8} />
        </Panel>
        <Panel flush>
          <RowsWaiting rows={8} />
        </Panel>
      </div>
    </div>
  );
}
