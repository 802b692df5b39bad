import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';
import { figures } from './figures.ts';
import styles from './sales.module.css';

/** The figures of the charts, newest month first. */
export function SalesTable({ months }: { months: MonthlySales[] }) {
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="table-frame" tabIndex={0} aria-label="Figures of each month">
      <table className={`table ${styles.figures}`}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {figures.map(({ field, name }) => (
              <th key={field} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <th scope="row">{formats.month(month.month)}</th>
              {figures.map(({ field, show }) => (
                <td key={field} className="number">
                  {orNothing(month[field], show(formats))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
