import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../shell/panel.tsx';
import { type Figure, figures } from './figures.ts';
import { MonthsChart } from './months-chart.tsx';
import styles from './sales.module.css';

/** Charts for the figures, two for the schedules and how many of them sold. */
export default function SalesCharts({ months }: { months: MonthlySales[] }) {
  const formats = useFormats();
  const charts: { title: string; of: Figure['field'][] }[] = [
    { title: 'Total sales', of: ['total_sales'] },
    { title: 'Schedules and sell rate', of: ['schedules', 'sell_rate'] },
    { title: 'Average selling price', of: ['asp'] },
    { title: 'Product rating', of: ['product_rating'] },
  ];
  const latest = months.at(-1);
  return (
    <div className={styles.charts}>
      {charts.map(({ title, of }) => {
        const shown = figures.filter(({ field }) => of.includes(field));
        const first = shown[0];
        const value = first && latest?.[first.field];
        return (
          <Panel
            key={title}
            title={title}
            aside={
              latest !== undefined && first !== undefined && typeof value === 'number' ? (
                <span className={styles.latest}>
                  {first.show(formats)(value)} in {formats.shortMonth(latest.month)}
                </span>
              ) : undefined
            }
          >
            <div className={styles.chart}>
              <MonthsChart months={months} figures={shown} title={title} />
            </div>
          </Panel>
        );
      })}
    </div>
  );
}
