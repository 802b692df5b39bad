import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { UsageReport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { DEFAULT_HOURS, type RequestsSearch, usageQuery } from './queries.ts';
import styles from './requests.module.css';

const UsageChart = lazy(() => import('./usage-chart.tsx'));

const ranges = [
  { value: DEFAULT_HOURS, label: 'Last 24 hours' },
  { value: String(7 * 24), label: 'Last 7 days' },
  { value: String(30 * 24), label: 'Last 30 days' },
];

/** All requests by hour or day, by endpoint, and by key. */
export function UsagePanel({ search }: { search: RequestsSearch }) {
  const navigate = useNavigate();
  const report = useQuery(usageQuery(search));
  const range = (
    <NativeSelect
      aria-label="Period"
      value={search.hours ?? DEFAULT_HOURS}
      data={ranges}
      onChange={({ currentTarget: { value } }) =>
        void navigate({
          to: '/requests',
          search: { ...search, hours: value === DEFAULT_HOURS ? '' : value },
          resetScroll: false,
        })
      }
    />
  );
  return (
    <Panel
      title={search.key === undefined ? 'All requests' : `All requests with key ${search.key}`}
      aside={range}
    >
      <Loaded query={report} skeleton={<Skeleton height={320} />}>
        {({ statuses, hours, endpoints, keys }) =>
          statuses.length === 0 ? (
            <EmptyState
              Icon={IconChartLine}
              title="No requests"
              description="Your software sent no requests in this period."
            />
          ) : (
            <>
              <Suspense fallback={<Skeleton height={220} />}>
                <div className={styles.chart}>
                  <UsageChart hours={hours} />
                </div>
              </Suspense>
              <div className={styles.tables}>
                <UsageTable title="Endpoint" rows={endpointRows(endpoints)} />
                <UsageTable
                  title="Key"
                  rows={keys.map(({ id, name, ...usage }) => ({ name: `${id} ${name}`, ...usage }))}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

interface Row {
  name: string;
  requests: number;
  failed: number;
}

/** Returns a row for each endpoint, and one for all requests whose path is not an endpoint's. */
function endpointRows(endpoints: UsageReport['endpoints']): Row[] {
  const rows = new Map<string, Row>();
  for (const { endpoint, requests, failed } of endpoints) {
    const name = endpoint.endsWith(' (none)') ? 'Unknown path' : endpoint;
    const row = rows.get(name) ?? { name, requests: 0, failed: 0 };
    rows.set(name, { name, requests: row.requests + requests, failed: row.failed + failed });
  }
  return [...rows.values()];
}

function UsageTable({ title, rows }: { title: string; rows: Row[] }) {
  const { whole } = useFormats();
  return (
    <Table
      className={styles.usage}
      cards={false}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { label: title, cell: ({ name }) => name },
        { label: 'Requests', kind: 'number', cell: ({ requests }) => whole(requests) },
        { label: 'Failed', kind: 'number', cell: ({ failed }) => whole(failed) },
      ]}
    />
  );
}
