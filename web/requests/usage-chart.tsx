import type { UsageReport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { axisTicks } from '../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../ui/chart.tsx';
import { Bars, barWidth } from '../ui/chart-marks.tsx';

/** More hours than this have labels of days. */
const MAX_HOUR_LABELS = 48;
/** More hours than this are shown as days. */
const MAX_BARS = 7 * 24;

interface Period {
  /** The start of the first hour. */
  at: string;
  label: string;
  succeeded: number;
  failed: number;
}

/** Returns each hour, or each day of the merchant's time zone if there are many hours. */
function barsOf(hours: UsageReport['hours'], labelOf: (time: string) => string): Period[] {
  const bars = new Map<string, Period>();
  for (const { at, requests, failed } of hours) {
    const label = labelOf(at);
    const bar = bars.get(label) ?? { at, label, succeeded: 0, failed: 0 };
    bars.set(label, bar);
    bar.succeeded += requests - failed;
    bar.failed += failed;
  }
  return [...bars.values()];
}

/** The requests that succeeded and failed, over time. */
export default function UsageChart({ hours }: { hours: UsageReport['hours'] }) {
  const { day, time, hour, shortDay, whole } = useFormats();
  const bars = barsOf(hours, hours.length > MAX_BARS ? day : time);
  const isOneDay = hours.length <= MAX_HOUR_LABELS;
  const startsDay = ({ at }: Period, index: number) =>
    index > 0 && day(at) !== day(bars[index - 1]?.at ?? at);
  const { ticks } = axisTicks(Math.max(0, ...bars.map(({ succeeded, failed }) => succeeded + failed)), 1);
  const max = ticks.at(-1) ?? 1;
  return (
    <Chart
      title="Requests"
      labels={bars.map((bar, index) =>
        isOneDay ? hour(bar.at) : startsDay(bar, index) ? shortDay(bar.at) : undefined,
      )}
      axes={[{ ticks, label: tickLabel }]}
      tooltip={(index) => {
        const { label, succeeded, failed } = bars[index] ?? { label: '', succeeded: 0, failed: 0 };
        return (
          <>
            <strong>{label}</strong>
            <p>
              {whole(succeeded)} succeeded, {whole(failed)} failed
            </p>
          </>
        );
      }}
    >
      {(plot) => (
        <Bars plot={plot}>
          {bars.map(({ at, succeeded, failed }, index) => {
            const shape = { x: plot.center(index) - barWidth(plot) / 2, width: barWidth(plot) };
            const middle = plot.y(succeeded, max);
            const top = plot.y(succeeded + failed, max);
            return (
              <g key={at}>
                <rect {...shape} y={middle} height={plot.bottom - middle} fill="var(--chart)" />
                <rect {...shape} y={top} height={middle - top} fill="var(--copper)" />
              </g>
            );
          })}
        </Bars>
      )}
    </Chart>
  );
}
