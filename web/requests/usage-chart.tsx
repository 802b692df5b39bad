import { useReducedMotion } from '@mantine/hooks';
import type { TooltipContentProps } from 'recharts';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { UsageReport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { axis, ChartTooltip, tickLabel } from '../ui/chart.tsx';

/** More hours than this have labels of days. */
const MAX_HOUR_LABELS = 48;
/** More hours than this are shown as days. */
const MAX_BARS = 7 * 24;

interface Bars {
  /** The start of the first hour. */
  at: string;
  label: string;
  succeeded: number;
  failed: number;
}

/** Returns a bar for each hour, or for each day of the merchant's time zone if there are many hours. */
function barsOf(hours: UsageReport['hours'], labelOf: (time: string) => string): Bars[] {
  const bars = new Map<string, Bars>();
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
  const { day, time, hour, shortDay } = useFormats();
  const reducedMotion = useReducedMotion();
  const bars = barsOf(hours, hours.length > MAX_BARS ? day : time);
  const isOneDay = hours.length <= MAX_HOUR_LABELS;
  const days = bars.filter(({ at }, index) => index > 0 && day(at) !== day(bars[index - 1]?.at ?? at));
  const shared = { stackId: 'requests', isAnimationActive: !reducedMotion, animationDuration: 350 };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={bars}
        margin={{ top: 6, right: 22, bottom: 0, left: 0 }}
        title="Requests"
        accessibilityLayer
      >
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="at"
          {...(!isOneDay && { ticks: days.map(({ at }) => at) })}
          tickFormatter={isOneDay ? hour : shortDay}
          interval="equidistantPreserveEnd"
          minTickGap={16}
          {...axis}
        />
        <YAxis width={46} allowDecimals={false} tickFormatter={tickLabel} {...axis} />
        <Tooltip cursor={{ fill: 'var(--surface-sunken)' }} content={<BarTooltip />} />
        <Bar dataKey="succeeded" fill="var(--chart)" {...shared} />
        <Bar dataKey="failed" fill="var(--copper)" {...shared} />
      </BarChart>
    </ResponsiveContainer>
  );
}

function BarTooltip({ active, payload }: Partial<TooltipContentProps>) {
  const { whole } = useFormats();
  const bar = payload?.[0]?.payload as Bars | undefined;
  if (!active || bar === undefined) return null;
  return (
    <ChartTooltip title={bar.label}>
      <p>
        {whole(bar.succeeded)} succeeded, {whole(bar.failed)} failed
      </p>
    </ChartTooltip>
  );
}
