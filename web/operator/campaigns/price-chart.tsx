import { useFormats } from '../../format/use-formats.ts';
import { axisTicks } from '../../ui/axis-ticks.ts';
import { Chart, tickLabel } from '../../ui/chart.tsx';
import { Bars, barWidth } from '../../ui/chart-marks.tsx';
import { barPath } from '../../ui/chart-plot.ts';
import { TooltipValues } from '../../ui/tooltip-values.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import type { CurrencyFigures } from './queries.ts';

/** How many placements had each price. */
export default function PriceChart({ figures: { prices, currency } }: { figures: CurrencyFigures }) {
  const { whole } = useFormats();
  const { money } = useCurrencyFormats()(currency);
  const { ticks } = axisTicks(Math.max(...prices.map(({ placements }) => placements)));
  const max = ticks.at(-1) ?? 1;
  return (
    <Chart
      title="Placements by price"
      labels={prices.map(({ price }) => money(price))}
      axes={[{ ticks, label: tickLabel }]}
      tooltip={(index) => {
        const { price = 0, placements = 0 } = prices[index] ?? {};
        return (
          <TooltipValues
            values={[
              ['Price', money(price)],
              ['Placements', whole(placements)],
            ]}
          />
        );
      }}
    >
      {(plot) => {
        const width = barWidth(plot);
        return (
          <Bars plot={plot}>
            {prices.map(({ price, placements }, index) => (
              <path
                key={price}
                d={barPath(plot.center(index) - width / 2, plot.y(placements, max), width, plot.bottom)}
                fill="var(--chart)"
              />
            ))}
          </Bars>
        );
      }}
    </Chart>
  );
}
