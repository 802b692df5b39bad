import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { figures } from './figures.ts';
import styles from './sales.module.css';

/** The figures of all months, newest first. */
export function SalesTable({ months }: { months: MonthlySales[] }) {
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-frame" tabIndex={0} aria-label="Table of monthly figures">
      <table className={`table ${styles.figures}`}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {figures.map(({ field, label }) => (
              <th key={field} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <th scope="row">{formats.month(month.month)}</th>
              {figures.map(({ field, format }) => (
                <td key={field} className="number">
                  {valueOrDash(month[field], format(formats))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
