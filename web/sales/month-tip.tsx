import type { TooltipContentProps } from 'recharts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';
import type { Figure } from './figures.ts';
import styles from './sales.module.css';

/** The values of the month that is pointed at, or gone to with the arrow keys. */
export function MonthTip({ figures, active, payload }: Partial<TooltipContentProps> & { figures: Figure[] }) {
  const formats = useFormats();
  const month = payload?.[0]?.payload as MonthlySales | undefined;
  if (!active || month === undefined) return null;
  return (
    <div className={styles.tip}>
      <strong>{formats.month(month.month)}</strong>
      <dl>
        {figures.map(({ field, name, show }) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{orNothing(month[field], show(formats))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
