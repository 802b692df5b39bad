import { useReducedMotion } from '@mantine/hooks';
import { useId } from 'react';
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Line,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { axis, tickLabel } from '../ui/chart.tsx';
import { axisTicks, multiples } from './axis-ticks.ts';
import type { Figure } from './figures.ts';
import { MonthTooltip } from './month-tooltip.tsx';

interface Props {
  months: MonthlySales[];
  /** Its bar is hatched, because the month is not over. */
  thisMonth: string;
  /** Totals are drawn as bars, rates and averages as lines. The second figure has its axis on the right. */
  figures: Figure[];
  title: string;
}

/**
 * Returns the ticks of each figure's axis. All axes start at 0, and the ticks of the sell rate are aligned
 * with the ticks of the first figure.
 */
function ticksOf(months: MonthlySales[], figures: Figure[]): number[][] {
  let intervals: number | undefined;
  return figures.map(({ field }) => {
    if (field === 'product_rating') return multiples(1, 5);
    if (field === 'sell_rate') return multiples(1 / (intervals ?? 4), intervals ?? 4);
    const max = Math.max(0, ...months.map((month) => month[field] ?? 0));
    const axis = axisTicks(max, field === 'schedules' ? 1 : 0);
    intervals = axis.intervals;
    return axis.ticks;
  });
}

function monthOf({ payload }: { payload?: unknown }): string | undefined {
  return (payload as MonthlySales | undefined)?.month;
}

export function MonthsChart({ months, thisMonth, figures, title }: Props) {
  const formats = useFormats();
  const reducedMotion = useReducedMotion();
  const ticks = ticksOf(months, figures);
  const hatch = useId();
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={months}
        margin={{ top: 6, right: 22, bottom: 0, left: 0 }}
        title={title}
        accessibilityLayer
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill="var(--chart)" opacity="0.25" />
            <rect width="3" height="6" fill="var(--chart)" />
          </pattern>
        </defs>
        {/* The grid has lines only at the ticks of the axis that it names. */}
        <CartesianGrid stroke="var(--line)" vertical={false} yAxisId={figures[0]?.field ?? ''} />
        <XAxis
          dataKey="month"
          scale="band"
          tickFormatter={formats.shortMonth}
          interval="equidistantPreserveEnd"
          minTickGap={12}
          {...axis}
        />
        {figures.map(({ field }, index) => (
          <YAxis
            key={field}
            yAxisId={field}
            orientation={index === 0 ? 'left' : 'right'}
            width={46}
            ticks={ticks[index] ?? []}
            domain={[0, ticks[index]?.at(-1) ?? 1]}
            interval={0}
            tickFormatter={(value: number) =>
              field === 'sell_rate' ? formats.wholePercent(value) : tickLabel(value)
            }
            {...axis}
          />
        ))}
        <Tooltip
          cursor={{ fill: 'var(--surface-sunken)' }}
          // Shows months without a rating too.
          filterNull={false}
          content={<MonthTooltip figures={figures} thisMonth={thisMonth} />}
        />
        {figures.map(({ field, label }, index) =>
          field === 'total_sales' || field === 'schedules' ? (
            <Bar
              key={field}
              yAxisId={field}
              dataKey={field}
              name={label}
              fill="var(--chart)"
              shape={(bar: BarShapeProps) => (
                <Rectangle {...bar} {...(monthOf(bar) === thisMonth && { fill: `url(#${hatch})` })} />
              )}
              radius={[3, 3, 0, 0]}
              maxBarSize={26}
              isAnimationActive={!reducedMotion}
              animationDuration={350}
            />
          ) : (
            <Line
              key={field}
              yAxisId={field}
              dataKey={field}
              name={label}
              type="linear"
              stroke={index === 0 ? 'var(--chart)' : 'var(--copper)'}
              strokeWidth={2.25}
              dot={months.length < 4}
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
