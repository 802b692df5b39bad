import { useFormats } from '../../format/use-formats.ts';
import { Table } from '../../ui/table.tsx';
import { formatMilliseconds } from './metrics-chart.tsx';
import { hoursOf, type Point } from './series.ts';
import styles from './system.module.css';

/** The values of the charts by hours. */
export function HoursTable({ series }: { series: readonly (Point | null)[] }) {
  const { whole, bytes, time } = useFormats();
  return (
    <details className={styles.details}>
      <summary>The same figures by hour</summary>
      <Table
        caption="Figures by hour"
        rows={hoursOf(series)}
        keyOf={({ at }) => at}
        columns={[
          { label: 'From', kind: 'lead', className: 'nowrap', cell: ({ at }) => time(at) },
          { label: 'Requests', kind: 'number', cell: ({ requests }) => whole(requests) },
          { label: 'Failed', kind: 'number', cell: ({ errors }) => whole(errors) },
          {
            label: 'Highest median',
            kind: 'number',
            cell: ({ p50_ms: value }) => (value === null ? '–' : formatMilliseconds(value)),
          },
          {
            label: 'Highest 99 %',
            kind: 'number',
            cell: ({ p99_ms: value }) => (value === null ? '–' : formatMilliseconds(value)),
          },
          {
            label: 'Loop delay',
            kind: 'number',
            cell: ({ loop_delay_ms: value }) => formatMilliseconds(value),
          },
          { label: 'Memory', kind: 'number', cell: ({ memory_bytes: value }) => bytes(value) },
          { label: 'Events wait', kind: 'number', cell: ({ outbox_seconds: value }) => `${whole(value)} s` },
        ]}
      />
    </details>
  );
}
