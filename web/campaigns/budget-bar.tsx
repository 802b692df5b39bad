import type { ReactNode } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { ShareBar } from '../ui/share-bar.tsx';
import styles from './campaigns.module.css';

interface Props {
  label: string;
  spent: number;
  /** Null for no limit. */
  budget: number | null;
  /** Shows what was spent, such as with its explanation. */
  show: (amount: string) => ReactNode;
}

/** What was spent of a budget, as text and as a bar. Without a budget, there is no bar. */
export function BudgetBar({ label, spent, budget, show }: Props) {
  const { money, wholePercent } = useFormats();
  return (
    <div>
      <p className={styles.barText}>
        <span className="muted">{label}</span>
        <span className="numbers">
          <strong>{show(money(spent))}</strong>
          {budget === null ? ', no limit' : ` of ${money(budget)}`}
          {budget !== null && budget > 0 && ` (${wholePercent(Math.floor((100 * spent) / budget) / 100)})`}
        </span>
      </p>
      <SpendBar spent={spent} budget={budget} />
    </div>
  );
}

/** The bar alone, where the amounts are next to it. */
export function SpendBar({ spent, budget }: Pick<Props, 'spent' | 'budget'>) {
  if (budget === null) return null;
  const share = budget > 0 ? Math.min(1, spent / budget) : 1;
  return <ShareBar share={share} isAccented={share >= 1} />;
}
