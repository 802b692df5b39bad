import { Link } from '@tanstack/react-router';
import type { ReportPeriod, SalesReport } from '../../src/sales/report.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { type Figure, figures } from './figures.ts';
import { linkToAuctions } from './link-to-auctions.tsx';
import { partOf, periodName } from './period-words.ts';
import styles from './sales.module.css';
import type { SalesSearch } from './search.ts';

const unitLabels = { day: 'Day', week: 'Week', month: 'Month' };

/** The figures of periods with auctions, newest first. Whole months, and the present one, lead to theirs. */
export function SalesTable({
  report: { periods, unit },
  label,
  search,
}: {
  report: SalesReport;
  label: string;
  search: SalesSearch;
}) {
  const formats = useFormats();
  const shown = periods.filter(({ sales }) => sales.schedules > 0).toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-frame" tabIndex={0} aria-label={label}>
      <table className={`table ${styles.figures}`}>
        <thead>
          <tr>
            <th scope="col">{unitLabels[unit]}</th>
            {figures.map((figure) => (
              <th key={figure.field} scope="col" className="number">
                {figure.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((period) => (
            <tr key={period.from}>
              <th scope="row">
                <Name period={period} unit={unit} search={search} />
              </th>
              {figures.map((figure) => (
                <td key={figure.field} className="number">
                  {isMonth(period, unit) ? (
                    <ExplainedFigure
                      query={{ figure: `sales.${figure.field}`, month: monthOf(period) }}
                      linkTo={linkToAuctions(search)}
                    >
                      {shownValue(figure, period, formats)}
                    </ExplainedFigure>
                  ) : (
                    shownValue(figure, period, formats)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Name({
  period,
  unit,
  search,
}: {
  period: ReportPeriod;
  unit: SalesReport['unit'];
  search: SalesSearch;
}) {
  const formats = useFormats();
  const name = periodName(period, unit, formats);
  const part = partOf(period, unit, formats);
  return (
    <>
      {isMonth(period, unit) ? (
        <Link
          to="/sales"
          search={{ ...search, product: '', month: monthOf(period) }}
          className={styles.link ?? ''}
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {part !== undefined && <span className={styles.part}>{part}</span>}
    </>
  );
}

function shownValue({ field, format }: Figure, { sales }: ReportPeriod, formats: Formats) {
  return valueOrDash(sales[field], format(formats));
}

/** Whether a period has all auctions of its month so far. */
function isMonth({ from, is_whole: isWhole, is_running: isRunning }: ReportPeriod, unit: string): boolean {
  return unit === 'month' && (isWhole || (isRunning && from.endsWith('-01')));
}

function monthOf({ from }: ReportPeriod): string {
  return from.slice(0, 7);
}
