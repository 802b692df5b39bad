import { useFormats } from '../format/use-formats.ts';
import { marginOf } from '../products/margin.ts';
import { pricesIn } from '../products/price-warnings.ts';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

/** What remains of the buy-now price after the cost, for the prices in the form. */
export function Margin({ editor }: { editor: Editor }) {
  const { money, percent } = useFormats();
  const margin = marginOf(pricesIn(editor.textOf));
  if (margin === null) return null;
  return (
    <p className={`small ${styles.margin}`}>
      <span className="muted">Margin</span> <strong>{percent(margin.ratio)}</strong>{' '}
      <span className="muted">· {money(margin.amount)} for each unit sold at the buy-now price</span>
    </p>
  );
}
