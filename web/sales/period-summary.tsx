import type { SalesReport } from '../../src/sales/report.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { Difference } from './difference.tsx';
import { figures } from './figures.ts';
import styles from './sales.module.css';

/** The figures of the range together, and how they differ from the days that they are compared with. */
export function PeriodSummary({ report: { from, to, sales, compared } }: { report: SalesReport }) {
  const formats = useFormats();
  return (
    <Panel
      title={formats.calendarRange(from, to)}
      aside={
        compared !== null && (
          <span className={styles.comparison}>
            <span className={styles.sample} aria-hidden="true" />
            vs. {formats.calendarRange(compared.from, compared.to)}
          </span>
        )
      }
    >
      <dl className={styles.summary}>
        {figures.map(({ field, label, format }) => {
          const value = sales[field];
          return (
            <div key={field}>
              <dt>{label}</dt>
              <dd>
                {value === null ? '–' : format(formats)(value)}
                {compared !== null && (
                  <Difference field={field} current={value} previous={compared.sales[field]} />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}
