import type { Overview } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Difference } from '../sales/difference.tsx';
import { figures } from '../sales/figures.ts';
import { Sparkline } from '../ui/sparkline.tsx';
import styles from './overview.module.css';

/**
 * This month's figures so far, each compared with the same days of last month. If this month has no auctions,
 * last month's figures.
 */
export function MonthFigures({
  overview: {
    this_month: thisMonth,
    last_month: lastMonth,
    last_month_to_date: lastMonthToDate,
    last_days: days,
  },
}: {
  overview: Overview;
}) {
  const formats = useFormats();
  const shown = thisMonth ?? lastMonth;
  if (shown === null) return null;
  return (
    <section aria-labelledby="month-figures" className={styles.month}>
      <header>
        <h2 id="month-figures">{formats.month(shown.month)}</h2>
        <p className="muted small">
          {thisMonth === null
            ? 'Last month. No auctions yet this month.'
            : lastMonthToDate === null
              ? 'Month to date'
              : `Month to date vs. the same days of ${formats.month(lastMonthToDate.month)}`}
        </p>
      </header>
      <dl className={styles.figures}>
        {figures.map(({ field, label, format }) => {
          const value = shown[field];
          return (
            <div key={field}>
              <dt>{label}</dt>
              <dd>
                <span className={styles.value}>{value === null ? '–' : format(formats)(value)}</span>
                {thisMonth !== null && lastMonthToDate !== null && (
                  <Difference field={field} current={value} previous={lastMonthToDate[field]} />
                )}
                {days !== null && <Course values={days.figures[field]} format={format(formats)} />}
              </dd>
            </div>
          );
        })}
      </dl>
      {days !== null && (
        <p className={`small ${styles.note}`} aria-hidden="true">
          The lines show the last 30 days.
        </p>
      )}
    </section>
  );
}

/** The course of a figure in the last 30 days, as a line and as text. */
function Course({
  values,
  format,
}: {
  values: readonly (number | null)[];
  format: (value: number) => string;
}) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return (
    <span className={styles.course}>
      <span className="visually-hidden">
        {least === most
          ? `Always ${format(most)} in the last 30 days.`
          : `Between ${format(least)} and ${format(most)} a day in the last 30 days.`}
      </span>
      <Sparkline values={values} />
    </span>
  );
}
