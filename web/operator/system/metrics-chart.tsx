import type { Formats } from '../../format/formats.ts';
import { useFormats } from '../../format/use-formats.ts';
import { axisTicks } from '../../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../../ui/chart.tsx';
import { Line } from '../../ui/chart-marks.tsx';
import { TooltipValues } from '../../ui/tooltip-values.tsx';
import type { Point } from './series.ts';
import styles from './system.module.css';

interface Field {
  label: string;
  value: (point: Point) => number | null;
}

interface Figure {
  title: string;
  /** One or two, which share the axis. The second has another color. */
  fields: readonly Field[];
  format: (formats: Formats) => (value: number) => string;
  /** The least distance of two ticks. */
  minStep?: number;
}

const milliseconds = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'millisecond',
  maximumFractionDigits: 1,
});
export const formatMilliseconds = (value: number): string => milliseconds.format(value);
const MB = 1_000_000;

/** What each chart shows. */
export const figures: readonly Figure[] = [
  {
    title: 'Requests',
    fields: [
      { label: 'All', value: ({ requests }) => requests },
      { label: 'Failed', value: ({ errors }) => errors },
    ],
    format: ({ whole }) => whole,
    minStep: 1,
  },
  {
    title: 'Response time',
    fields: [
      { label: 'Median', value: ({ p50_ms }) => p50_ms },
      { label: '99 %', value: ({ p99_ms }) => p99_ms },
    ],
    format: () => formatMilliseconds,
  },
  {
    title: 'Delay of the event loop',
    fields: [{ label: '99 %', value: ({ loop_delay_ms }) => loop_delay_ms }],
    format: () => formatMilliseconds,
  },
  {
    title: 'Memory in MB',
    fields: [{ label: 'Memory', value: ({ memory_bytes }) => memory_bytes / MB }],
    format:
      ({ whole }) =>
      (value) =>
        `${whole(Math.round(value))} MB`,
    minStep: 1,
  },
  {
    title: 'Delay of events',
    fields: [{ label: 'Waits for', value: ({ outbox_seconds }) => outbox_seconds }],
    format:
      ({ whole }) =>
      (value) =>
        `${whole(value)} s`,
    minStep: 1,
  },
];

const colors = ['var(--chart)', 'var(--copper)'];
const LABEL_HOURS = 3;

/** A figure of each five minutes of the last day. */
export function MetricsChart({ figure, series }: { figure: Figure; series: readonly (Point | null)[] }) {
  const formats = useFormats();
  const { title, fields, minStep = 0 } = figure;
  const format = figure.format(formats);
  const valuesOf = (point: Point): [string, string][] =>
    fields.map(({ label, value }) => {
      const found = value(point);
      return [label, found === null ? '–' : format(found)];
    });
  const max = Math.max(
    0,
    ...series.flatMap((point) => (point === null ? [] : fields.map(({ value }) => value(point) ?? 0))),
  );
  const { ticks } = axisTicks(max, minStep);
  const latest = series.at(-1);
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h3>{title}</h3>
        {latest && (
          <span className="muted small">
            {valuesOf(latest).map(([label, value], index) =>
              fields.length === 1 ? (
                value
              ) : (
                <span key={label} className={styles.legend} data-second={index === 1 || undefined}>
                  {label} {value}
                </span>
              ),
            )}{' '}
            at {formats.clock(latest.at)}
          </span>
        )}
      </figcaption>
      <div className={styles.chart}>
        <Chart
          title={title}
          labels={series.map((point) => (point === null ? undefined : hourLabel(point.at, formats)))}
          axes={[{ ticks, label: tickLabel }]}
          tooltip={(index) => {
            const point = series[index];
            return point === null || point === undefined ? (
              'Nothing measured'
            ) : (
              <>
                <strong>{formats.clock(point.at)}</strong>
                <TooltipValues values={valuesOf(point)} />
              </>
            );
          }}
        >
          {(plot, selected) =>
            fields.map(({ label, value }, index) => (
              <Line
                key={label}
                plot={plot}
                values={series.map((point) => point && value(point))}
                max={ticks.at(-1) ?? 1}
                color={colors[index] ?? ''}
                selected={selected}
              />
            ))
          }
        </Chart>
      </div>
    </figure>
  );
}

/** Labels every third full hour. */
function hourLabel(at: string, { hour }: Formats): string | undefined {
  const time = new Date(at);
  return time.getUTCMinutes() === 0 && time.getUTCHours() % LABEL_HOURS === 0 ? hour(at) : undefined;
}
