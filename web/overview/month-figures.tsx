import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { figures } from '../sales/figures.ts';
import { Difference } from './difference.tsx';
import styles from './overview.module.css';

/** This month's figures so far, each with how it stands against the whole of the last month. */
export function MonthFigures({ now, before }: { now: MonthlySales | null; before: MonthlySales | null }) {
  const formats = useFormats();
  const shown = now ?? before;
  if (shown === null) return null;
  return (
    <section aria-labelledby="month-figures" className={styles.month}>
      <header>
        <h2 id="month-figures">{formats.month(shown.month)}</h2>
        <p className="soft small">
          {now === null
            ? 'Nothing has been scheduled this month yet.'
            : before === null
              ? 'So far.'
              : `So far, against the whole of ${formats.month(before.month)}.`}
        </p>
      </header>
      <dl className={styles.figures}>
        {figures.map(({ field, name, show }) => {
          const value = shown[field];
          return (
            <div key={field}>
              <dt>{name}</dt>
              <dd>
                <span className={styles.value}>{value === null ? '–' : show(formats)(value)}</span>
                {now !== null && before !== null && (
                  <Difference field={field} now={value} before={before[field]} />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
