import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { type Figure, figures } from './figures.ts';
import { MonthsChart } from './months-chart.tsx';
import styles from './sales.module.css';

/** A chart for each figure; auctions and sell rate share one. */
export default function SalesCharts({ months, thisMonth }: { months: MonthlySales[]; thisMonth: string }) {
  const formats = useFormats();
  const charts: { title: string; fields: Figure['field'][] }[] = [
    { title: 'Total sales', fields: ['total_sales'] },
    { title: 'Auctions and sell rate', fields: ['schedules', 'sell_rate'] },
    { title: 'Average selling price', fields: ['asp'] },
    { title: 'Product rating', fields: ['product_rating'] },
  ];
  const latest = months.at(-1);
  return (
    <div className={styles.charts}>
      {charts.map(({ title, fields }) => {
        const shown = figures.filter(({ field }) => fields.includes(field));
        const first = shown[0];
        const value = first && latest?.[first.field];
        return (
          <Panel
            key={title}
            title={title}
            aside={
              latest !== undefined && first !== undefined && typeof value === 'number' ? (
                <span className={styles.latest}>
                  {first.format(formats)(value)} in {formats.shortMonth(latest.month)}
                  {latest.month === thisMonth && ', month to date'}
                </span>
              ) : undefined
            }
          >
            <div className={styles.chart}>
              <MonthsChart months={months} thisMonth={thisMonth} figures={shown} title={title} />
            </div>
          </Panel>
        );
      })}
    </div>
  );
}
