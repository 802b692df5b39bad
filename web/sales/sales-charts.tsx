import type { SalesReport } from '../../src/sales/report.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { type Figure, figures } from './figures.ts';
import { partOf, periodLabel } from './period-words.ts';
import { PeriodsChart } from './periods-chart.tsx';
import styles from './sales.module.css';

const charts: { title: string; fields: Figure['field'][] }[] = [
  { title: 'Total sales', fields: ['total_sales'] },
  { title: 'Auctions and sell rate', fields: ['schedules', 'sell_rate'] },
  { title: 'Average selling price', fields: ['asp'] },
  { title: 'Product rating', fields: ['product_rating'] },
];

/** A chart for each figure; auctions and sell rate share one. */
export default function SalesCharts({ report }: { report: SalesReport }) {
  return (
    <div className={styles.charts}>
      {charts.map(({ title, fields }) => {
        const shown = figures.filter(({ field }) => fields.includes(field));
        return (
          <Panel key={title} title={title} aside={<Latest report={report} figure={shown[0]} />}>
            <div className={styles.chart}>
              <PeriodsChart report={report} figures={shown} title={title} />
            </div>
          </Panel>
        );
      })}
    </div>
  );
}

/** The value at the end of a chart, such as “$42.00 in Nov ’26, month to date”. */
function Latest({ report, figure }: { report: SalesReport; figure: Figure | undefined }) {
  const formats = useFormats();
  const { periods, unit } = report;
  const latest = periods.at(-1);
  const value = figure && latest?.sales[figure.field];
  if (latest === undefined || figure === undefined || typeof value !== 'number') return null;
  const part = latest.is_running ? partOf(latest, unit, formats)?.toLowerCase() : undefined;
  const preposition = unit === 'month' ? 'in' : unit === 'day' ? 'on' : 'since';
  return (
    <span className={styles.latest}>
      {figure.format(formats)(value)} {preposition} {periodLabel(latest, unit, formats)}
      {part !== undefined && `, ${part}`}
    </span>
  );
}
