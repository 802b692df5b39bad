import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { UsageReport } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
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
  const { data, error, refetch } = useQuery(usageQuery(search));
  const range = (
    <NativeSelect
      aria-label="Period"
      value={search.hours ?? DEFAULT_HOURS}
      data={ranges}
      onChange={(event) => {
        const { hours: _, ...rest } = search;
        const hours = event.currentTarget.value;
        void navigate({
          to: '/requests',
          search: hours === DEFAULT_HOURS ? rest : { ...rest, hours },
          resetScroll: false,
        });
      }}
    />
  );
  return (
    <Panel
      title={search.key === undefined ? 'All requests' : `All requests with key ${search.key}`}
      aside={range}
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : data.statuses.length === 0 ? (
        <EmptyState
          Icon={IconChartLine}
          title="No requests"
          description="Your software sent no requests in this period."
        />
      ) : (
        <>
          <Suspense fallback={<Skeleton height={220} />}>
            <div className={styles.chart}>
              <UsageChart hours={data.hours} />
            </div>
          </Suspense>
          <div className={styles.tables}>
            <UsageTable title="Endpoint" rows={endpointRows(data.endpoints)} />
            <UsageTable
              title="Key"
              rows={data.keys.map(({ id, name, ...usage }) => ({ name: `${id} ${name}`, ...usage }))}
            />
          </div>
        </>
      )}
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
    <div className="table-frame">
      <table className={`table ${styles.usage}`}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="number">
              Requests
            </th>
            <th scope="col" className="number">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, requests, failed }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="number">{whole(requests)}</td>
              <td className="number">{whole(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
