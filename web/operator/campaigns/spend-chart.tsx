import { useId } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { axisTicks } from '../../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../../ui/chart.tsx';
import { Bars, barWidth, Hatch } from '../../ui/chart-marks.tsx';
import { barPath, linePath } from '../../ui/chart-plot.ts';
import { TooltipValues } from '../../ui/tooltip-values.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import styles from './figures.module.css';
import type { CurrencyFigures } from './queries.ts';

const DAY_HOURS = 24;

/** The spend of each hour, against what campaigns plan. The last hour is hatched, because it is not over. */
export default function SpendChart({ figures: { hours, currency } }: { figures: CurrencyFigures }) {
  const formats = useFormats();
  const hatch = useId();
  const { money } = useCurrencyFormats()(currency);
  const { ticks } = axisTicks(Math.max(...hours.flatMap(({ spend, planned }) => [spend, planned])));
  const max = ticks.at(-1) ?? 1;
  const isLong = hours.length > DAY_HOURS;
  const labels = hours.map(({ hour }, index) => {
    if (!isLong) return formats.hour(hour);
    return (hours.length - 1 - index) % DAY_HOURS === 0 ? formats.shortDay(hour) : undefined;
  });
  return (
    <Chart
      title="Spend by hour"
      labels={labels}
      axes={[{ ticks, label: tickLabel }]}
      tooltip={(index) => {
        const hour = hours[index];
        return (
          hour !== undefined && (
            <>
              <strong>{formats.time(hour.hour)}</strong>
              {index === hours.length - 1 && <p>This hour so far</p>}
              <TooltipValues
                values={[
                  ['Spend', money(hour.spend)],
                  ['Planned', money(hour.planned)],
                  ['Placements', formats.whole(hour.placements)],
                ]}
              />
            </>
          )
        );
      }}
    >
      {(plot) => {
        const width = barWidth(plot);
        return (
          <>
            <Hatch id={hatch} />
            <Bars plot={plot}>
              {hours.map(({ hour, spend }, index) => (
                <path
                  key={hour}
                  d={barPath(plot.center(index) - width / 2, plot.y(spend, max), width, plot.bottom)}
                  fill={index === hours.length - 1 ? `url(#${hatch})` : 'var(--chart)'}
                />
              ))}
            </Bars>
            <path
              className={styles.planned}
              d={linePath(
                hours.map(({ planned }, index) => ({ x: plot.center(index), y: plot.y(planned, max) })),
              )}
            />
          </>
        );
      }}
    </Chart>
  );
}
