import { useId } from 'react';
import type { CampaignPerformance } from '../../src/placements/performance/campaign-performance.ts';
import { useFormats } from '../format/use-formats.ts';
import { axisTicks } from '../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../ui/chart.tsx';
import { Bars, barWidth, Hatch } from '../ui/chart-marks.tsx';
import { barPath } from '../ui/chart-plot.ts';
import { TooltipValues } from '../ui/tooltip-values.tsx';
import { figures } from './figures.ts';
import styles from './placements.module.css';

interface Props {
  /** Every day that is shown, oldest first. */
  days: readonly string[];
  /** Days without placements have no result. */
  results: readonly CampaignPerformance[];
  /** The present daily budget. */
  budget: number | null;
  /** Its bar is hatched, because the day is not over. */
  today: string;
}

/** The spend of each day, against the daily budget. */
export default function SpendChart({ days, results, budget, today }: Props) {
  const formats = useFormats();
  const hatch = useId();
  const byDay = new Map(results.map((result) => [result.day, result]));
  const { ticks } = axisTicks(Math.max(budget ?? 0, ...results.map(({ spend }) => spend)));
  const max = ticks.at(-1) ?? 1;
  return (
    <Chart
      title="Spend by day"
      labels={days.map(formats.shortCalendarDay)}
      axes={[{ ticks, label: tickLabel }]}
      tooltip={(index) => {
        const day = days[index] ?? today;
        return <DayTooltip day={day} result={byDay.get(day)} isToday={day === today} />;
      }}
    >
      {(plot) => {
        const width = barWidth(plot);
        const line = budget === null ? undefined : plot.y(budget, max);
        return (
          <>
            <Hatch id={hatch} />
            <Bars plot={plot}>
              {days.map((day, index) => (
                <path
                  key={day}
                  d={barPath(
                    plot.center(index) - width / 2,
                    plot.y(byDay.get(day)?.spend ?? 0, max),
                    width,
                    plot.bottom,
                  )}
                  fill={day === today ? `url(#${hatch})` : 'var(--chart)'}
                />
              ))}
            </Bars>
            {line !== undefined && (
              <line className={styles.budget} x1={plot.left} x2={plot.right} y1={line} y2={line} />
            )}
          </>
        );
      }}
    </Chart>
  );
}

interface TooltipProps {
  day: string;
  result: CampaignPerformance | undefined;
  isToday: boolean;
}

function DayTooltip({ day, result, isToday }: TooltipProps) {
  const formats = useFormats();
  return (
    <>
      <strong>{formats.calendarDay(day)}</strong>
      {isToday && <p>Today so far</p>}
      {result === undefined ? (
        <p>No placements</p>
      ) : (
        <TooltipValues
          values={figures
            .slice(0, 4)
            .map(({ field, label, format }) => [label, format(formats)(result[field] ?? 0)])}
        />
      )}
    </>
  );
}
