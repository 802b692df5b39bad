import { IconArrowDownRight, IconArrowUpRight } from '../ui/icons.ts';
import type { Figure } from './figures.ts';
import styles from './sales.module.css';

interface Props {
  field: Figure['field'];
  current: number | null;
  previous: number | null;
}

const relative = new Intl.NumberFormat(undefined, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});
const points = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
const stars = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 2 });

/** The change between two values: sell rates in percentage points, ratings in stars, the rest in percent. */
export function Difference({ field, current, previous }: Props) {
  if (current === null || previous === null) return <span className={styles.difference}>No data</span>;
  const change = Number((current - previous).toFixed(6));
  const text =
    field === 'sell_rate'
      ? `${points.format(change * 100)} points`
      : field === 'product_rating'
        ? stars.format(change)
        : previous === 0
          ? 'New'
          : relative.format(change / previous);
  const Icon = change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span className={styles.difference} data-direction={change < 0 ? 'down' : change > 0 ? 'up' : undefined}>
      {change !== 0 && <Icon size={15} />}
      {change === 0 ? 'No change' : text}
    </span>
  );
}
