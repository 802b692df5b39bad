import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { Figure } from '../sales/figures.ts';
import styles from './overview.module.css';

interface Props {
  field: Figure['field'];
  now: number | null;
  before: number | null;
}

const share = new Intl.NumberFormat(undefined, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});
const points = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
const stars = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 2 });

/** How much more or less than before: shares in percentage points, ratings as they are, the rest in percent. */
export function Difference({ field, now, before }: Props) {
  if (now === null || before === null) return <span className={styles.difference}>no comparison</span>;
  const change = Number((now - before).toFixed(6));
  const text =
    field === 'sell_rate'
      ? `${points.format(change * 100)} points`
      : field === 'product_rating'
        ? stars.format(change)
        : before === 0
          ? 'from nothing'
          : share.format(change / before);
  const Icon = change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span className={styles.difference} data-direction={change < 0 ? 'down' : change > 0 ? 'up' : undefined}>
      {change !== 0 && <Icon size={15} aria-hidden="true" />}
      {change === 0 ? 'the same' : text}
    </span>
  );
}
