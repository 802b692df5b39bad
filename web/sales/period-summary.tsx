import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { Difference } from './difference.tsx';
import styles from './sales.module.css';
import { type PeriodSales, sumMonths } from './sum-months.ts';

interface Props {
  months: readonly MonthlySales[];
  /** As many months before these; empty if there are not as many. */
  earlier: readonly MonthlySales[];
}

/** The figures of the shown months together, compared with as many months before them. */
export function PeriodSummary({ months, earlier }: Props) {
  const formats = useFormats();
  const [now, before] = [sumMonths(months), earlier.length === 0 ? undefined : sumMonths(earlier)];
  const figures: { field: keyof PeriodSales; label: string; text: string }[] = [
    { field: 'total_sales', label: 'Total sales', text: formats.money(now.total_sales) },
    { field: 'schedules', label: 'Schedules', text: formats.whole(now.schedules) },
    { field: 'sell_rate', label: 'Sell rate', text: formats.percent(now.sell_rate) },
    { field: 'asp', label: 'Average selling price', text: now.asp === null ? '–' : formats.money(now.asp) },
  ];
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return null;
  const period =
    first === last
      ? formats.month(first.month)
      : `${formats.month(first.month)} – ${formats.month(last.month)}`;
  return (
    <Panel
      title={period}
      aside={before && <span className="muted small">compared with the {earlier.length} months before</span>}
    >
      <dl className={styles.summary}>
        {figures.map(({ field, label, text }) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>
              {text}
              {before && <Difference field={field} current={now[field]} previous={before[field]} />}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
