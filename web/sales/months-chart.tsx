import { useReducedMotion } from '@mantine/hooks';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { AxisDomain } from 'recharts/types/util/types';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import type { Figure } from './figures.ts';
import { MonthTip } from './month-tip.tsx';

interface Props {
  months: MonthlySales[];
  /** What is shown: sums as bars, shares and averages as lines; a second one has its axis at the right. */
  figures: Figure[];
  title: string;
}

const tick = { fill: 'var(--ink-soft)', fontSize: 12 };
const axis = { tickLine: false, axisLine: false, tick };
/** Sums begin at nothing; an average would show no movement if it did. */
const scales: Partial<Record<Figure['field'], { domain: AxisDomain; ticks?: number[] }>> = {
  product_rating: { domain: [0, 5], ticks: [0, 1, 2, 3, 4, 5] },
  sell_rate: { domain: [0, 1] },
  asp: { domain: ['auto', 'auto'] },
};
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });

export function MonthsChart({ months, figures, title }: Props) {
  const formats = useFormats();
  const still = useReducedMotion();
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={months}
        margin={{ top: 6, right: 4, bottom: 0, left: 0 }}
        title={title}
        accessibilityLayer
      >
        {/* Lines at the ticks of the first axis; without its id there are none but the frame's. */}
        <CartesianGrid stroke="var(--line)" vertical={false} yAxisId={figures[0]?.field ?? ''} />
        <XAxis dataKey="month" tickFormatter={formats.shortMonth} minTickGap={24} {...axis} />
        {figures.map(({ field }, index) => (
          <YAxis
            key={field}
            yAxisId={field}
            orientation={index === 0 ? 'left' : 'right'}
            width={46}
            {...scales[field]}
            tickFormatter={(value: number) =>
              field === 'sell_rate' ? formats.wholePercent(value) : compact.format(value)
            }
            {...axis}
          />
        ))}
        <Tooltip
          cursor={{ fill: 'var(--surface-sunken)' }}
          // A month without a rating says so, instead of nothing.
          filterNull={false}
          content={<MonthTip figures={figures} />}
        />
        {figures.map(({ field, name }, index) =>
          field === 'total_sales' || field === 'schedules' ? (
            <Bar
              key={field}
              yAxisId={field}
              dataKey={field}
              name={name}
              fill="var(--chart)"
              radius={[3, 3, 0, 0]}
              maxBarSize={26}
              isAnimationActive={!still}
              animationDuration={350}
            />
          ) : (
            <Line
              key={field}
              yAxisId={field}
              dataKey={field}
              name={name}
              type="monotone"
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
