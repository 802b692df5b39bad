import { useId } from 'react';
import type { SalesReport } from '../../src/sales/report.ts';
import type { DaysSales } from '../../src/sales/sums.ts';
import { useFormats } from '../format/use-formats.ts';
import { axisTicks, multiples } from '../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../ui/chart.tsx';
import { Bars, barWidth, ComparedLine, Hatch, Line } from '../ui/chart-marks.tsx';
import { barPath } from '../ui/chart-plot.ts';
import type { Figure } from './figures.ts';
import { PeriodTooltip } from './period-tooltip.tsx';
import { periodLabel } from './period-words.ts';

interface Props {
  /** Bars of periods that are cut off or not over are hatched. */
  report: SalesReport;
  /** Totals are drawn as bars, rates and averages as lines. The second figure has its axis on the right. */
  figures: Figure[];
  title: string;
}

/**
 * Returns the ticks of each figure's axis. All axes start at 0, and the ticks of the sell rate are aligned
 * with the ticks of the first figure.
 */
function ticksOf(shown: readonly DaysSales[], figures: Figure[]): number[][] {
  let intervals: number | undefined;
  return figures.map(({ field }) => {
    if (field === 'product_rating') return multiples(1, 5);
    if (field === 'sell_rate') return multiples(1 / (intervals ?? 4), intervals ?? 4);
    const max = Math.max(0, ...shown.map((sales) => sales[field] ?? 0));
    const axis = axisTicks(max, field === 'schedules' ? 1 : 0);
    intervals = axis.intervals;
    return axis.ticks;
  });
}

/** The first figure is compared with the dashed line. */
export function PeriodsChart({ report: { periods, unit }, figures, title }: Props) {
  const formats = useFormats();
  const compared = periods.map((period) => period.compared?.sales);
  const hasCompared = compared.some((sales) => sales !== undefined);
  const shown = [...periods.map(({ sales }) => sales), ...compared.filter((sales) => sales !== undefined)];
  const ticks = ticksOf(shown, figures);
  const hatch = useId();
  return (
    <Chart
      title={title}
      labels={periods.map((period) => periodLabel(period, unit, formats))}
      axes={figures.map(({ field }, index) => ({
        ticks: ticks[index] ?? [],
        label: field === 'sell_rate' ? formats.wholePercent : tickLabel,
      }))}
      tooltip={(index) => {
        const period = periods[index];
        return period && <PeriodTooltip period={period} unit={unit} figures={figures} />;
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
                {periods.map((period, index) => (
                  <path
                    key={period.from}
                    d={barPath(
                      plot.center(index) - width / 2,
                      plot.y(period.sales[field], max),
                      width,
                      plot.bottom,
                    )}
                    fill={period.is_running || !period.is_whole ? `url(#${hatch})` : 'var(--chart)'}
                  />
                ))}
              </Bars>
            ) : (
              <Line
                key={field}
                plot={plot}
                values={periods.map(({ sales }) => sales[field])}
                max={max}
                color={axis === 0 ? 'var(--chart)' : 'var(--copper)'}
                selected={selected}
              />
            );
          })}
          {hasCompared && figures[0] !== undefined && (
            <ComparedLine plot={plot} values={valuesOf(compared, figures[0])} max={ticks[0]?.at(-1) ?? 1} />
          )}
        </>
      )}
    </Chart>
  );
}

function valuesOf(compared: readonly (DaysSales | undefined)[], { field }: Figure): (number | null)[] {
  return compared.map((sales) => sales?.[field] ?? null);
}
