import { useQuery } from '@tanstack/react-query';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { Difference } from './difference.tsx';
import { monthToDateQuery } from './queries.ts';
import styles from './sales.module.css';
import { type PeriodSales, sumMonths } from './sum-months.ts';

interface Props {
  months: readonly MonthlySales[];
  /** As many months before these; empty if there are not as many. */
  earlier: readonly MonthlySales[];
  thisMonth: string;
}

/**
 * The figures of the shown months together, compared with as many months before them. If the last one is the
 * current month, the last of the earlier months counts up to the same day.
 */
export function PeriodSummary({ months, earlier, thisMonth }: Props) {
  const formats = useFormats();
  const isToDate = months.at(-1)?.month === thisMonth;
  const compared = useCompared(earlier, isToDate);
  const [now, before] = [sumMonths(months), compared.length === 0 ? undefined : sumMonths(compared)];
  const figures: { field: keyof PeriodSales; label: string; text: string }[] = [
    { field: 'total_sales', label: 'Total sales', text: formats.money(now.total_sales) },
    { field: 'schedules', label: 'Auctions', text: formats.whole(now.schedules) },
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
      aside={before && <span className="muted small">{comparison(earlier.length, isToDate)}</span>}
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

/** Returns the months to compare with; empty while the last one is loading, or if it cannot be compared. */
function useCompared(earlier: readonly MonthlySales[], isToDate: boolean): readonly MonthlySales[] {
  const month = isToDate ? earlier.at(-1)?.month : undefined;
  const { data } = useQuery({ ...monthToDateQuery(month ?? ''), enabled: month !== undefined });
  if (month === undefined) return earlier;
  return data?.sales ? [...earlier.slice(0, -1), data.sales] : [];
}

function comparison(months: number, isToDate: boolean): string {
  const period = months === 1 ? 'previous month' : `previous ${months} months`;
  return isToDate ? `vs. same days of the ${period}` : `vs. ${period}`;
}
