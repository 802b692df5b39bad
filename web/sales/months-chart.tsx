import { useId } from 'react';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { axisTicks, multiples } from '../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../ui/chart.tsx';
import { Bars, barWidth, Hatch, Line } from '../ui/chart-marks.tsx';
import { barPath } from '../ui/chart-plot.ts';
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

export function MonthsChart({ months, thisMonth, figures, title }: Props) {
  const formats = useFormats();
  const ticks = ticksOf(months, figures);
  const hatch = useId();
  return (
    <Chart
      title={title}
      labels={months.map(({ month }) => formats.shortMonth(month))}
      axes={figures.map(({ field }, index) => ({
        ticks: ticks[index] ?? [],
        label: field === 'sell_rate' ? formats.wholePercent : tickLabel,
      }))}
      tooltip={(index) => {
        const month = months[index];
        return (
          month && <MonthTooltip month={month} figures={figures} isThisMonth={month.month === thisMonth} />
        );
      }}
    >
      {(plot, selected) => (
        <>
          <Hatch id={hatch} />
          {figures.map(({ field }, axis) => {
            const max = ticks[axis]?.at(-1) ?? 1;
            const width = barWidth(plot);
            return field === 'total_sales' || field === 'schedules' ? (
              <Bars key={field} plot={plot}>
                {months.map((month, index) => (
                  <path
                    key={month.month}
                    d={barPath(plot.center(index) - width / 2, plot.y(month[field], max), width, plot.bottom)}
                    fill={month.month === thisMonth ? `url(#${hatch})` : 'var(--chart)'}
                  />
                ))}
              </Bars>
            ) : (
              <Line
                key={field}
                plot={plot}
                values={months.map((month) => month[field])}
                max={max}
                color={axis === 0 ? 'var(--chart)' : 'var(--copper)'}
                selected={selected}
              />
            );
          })}
        </>
      )}
    </Chart>
  );
}
