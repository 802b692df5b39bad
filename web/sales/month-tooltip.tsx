import type { TooltipContentProps } from 'recharts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { ChartTooltip } from '../ui/chart.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import type { Figure } from './figures.ts';
import styles from './sales.module.css';

/** The values of the month that is selected with the pointer or the arrow keys. */
export function MonthTooltip({
  figures,
  thisMonth,
  active,
  payload,
}: Partial<TooltipContentProps> & { figures: Figure[]; thisMonth: string }) {
  const formats = useFormats();
  const month = payload?.[0]?.payload as MonthlySales | undefined;
  if (!active || month === undefined) return null;
  return (
    <ChartTooltip title={formats.month(month.month)}>
      {month.month === thisMonth && <p>Month to date</p>}
      <dl className={styles.values}>
        {figures.map(({ field, label, format }) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{valueOrDash(month[field], format(formats))}</dd>
          </div>
        ))}
      </dl>
    </ChartTooltip>
  );
}
