import { Link } from '@tanstack/react-router';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { figures } from './figures.ts';
import { linkToAuctions } from './link-to-auctions.tsx';
import type { SalesSearch } from './queries.ts';
import styles from './sales.module.css';

/** The figures of months, newest first. Each leads to its auctions. */
export function SalesTable({
  months,
  thisMonth,
  search,
}: {
  months: MonthlySales[];
  thisMonth: string;
  search: SalesSearch;
}) {
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-frame" tabIndex={0} aria-label="Table of monthly totals">
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
              <th scope="row">
                <Link
                  to="/sales"
                  search={{ ...search, product: '', from: '', to: '', month: month.month }}
                  className={styles.link ?? ''}
                >
                  {formats.month(month.month)}
                </Link>
                {month.month === thisMonth && <span className={styles.toDate}>Month to date</span>}
              </th>
              {figures.map(({ field, format }) => (
                <td key={field} className="number">
                  <ExplainedFigure
                    query={{ figure: `sales.${field}`, month: month.month }}
                    linkTo={linkToAuctions(search)}
                  >
                    {valueOrDash(month[field], format(formats))}
                  </ExplainedFigure>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
