import type { ProductIssues } from '../../src/products/moderation/moderate-product.ts';
import { labelOf } from '../products/fields.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import styles from './product.module.css';

/** The operator's decision about a product, with its reasons and links to the fields that they concern. */
export function Moderation({ issues: { state, reasons } }: { issues: ProductIssues }) {
  if (state === 'ok') return null;
  return (
    <section className={styles.moderation} aria-labelledby="moderation">
      <IconAlertTriangle size={20} />
      <div>
        <h2 id="moderation">
          {state === 'banned'
            ? 'The marketplace has banned this product'
            : 'The marketplace has found problems with this product'}
        </h2>
        {reasons.length === 0 ? (
          <p>The marketplace gave no reasons. Ask your marketplace operator.</p>
        ) : (
          <ul>
            {reasons.map(({ code, field, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity and never move
              <li key={index}>
                {message}{' '}
                {field === null ? (
                  <span className="muted small">({code})</span>
                ) : (
                  <button type="button" className="text-button" onClick={() => focusField(field)}>
                    {labelOf(field)}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** What is wrong with one field, next to its input. */
export function FieldReasons({ reasons, hint }: { reasons: readonly string[]; hint: string | undefined }) {
  return (
    <>
      {hint}
      {reasons.map((reason, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity and never move
        <span key={index} className={styles.reason}>
          <IconAlertTriangle size={14} /> {reason}
        </span>
      ))}
    </>
  );
}

/** Focuses the input of a field. */
export function focusField(name: string): void {
  const inputs = document.getElementsByName(name);
  const [input] = inputs;
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
