import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import { useFormats } from '../../format/use-formats.ts';
import { labelOf } from '../../products/fields.ts';
import { ProductImage } from '../../products/product-image.tsx';
import styles from './moderation.module.css';
import { keyOf } from './queries.ts';
import { nameOf } from './review-fields.ts';

const MAX_NAMED = 2;

interface Props {
  entries: readonly QueueEntry[];
  currentKey: string;
  selected: ReadonlySet<string>;
  /** Whether products can be selected for a decision. */
  canSelect: boolean;
  onOpen: (key: string) => void;
  onSelect: (key: string, isSelected: boolean) => void;
}

/** The queue, with the product that is being reviewed marked. */
export function QueueList({ entries, currentKey, selected, canSelect, onOpen, onSelect }: Props) {
  const { ago } = useFormats();
  return (
    <ol className={styles.list} aria-label="Products that wait for a review">
      {entries.map((entry) => {
        const key = keyOf(entry);
        const { merchant, product, since } = entry;
        return (
          <li key={key} className={styles.item} data-current={key === currentKey || undefined}>
            {canSelect && (
              <input
                type="checkbox"
                aria-label={`Select ${nameOf(entry)}`}
                checked={selected.has(key)}
                onChange={(event) => onSelect(key, event.currentTarget.checked)}
              />
            )}
            <button
              type="button"
              className={styles.open}
              aria-current={key === currentKey || undefined}
              onClick={() => onOpen(key)}
            >
              <ProductImage url={product.primary_image} />
              <span className={styles.texts}>
                <span className={styles.name}>{nameOf(entry)}</span>
                <span className="muted small">
                  {merchant.name} · {ago(since)}
                </span>
                <span className="small">{whatChanged(entry)}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function whatChanged({ is_new: isNew, changed }: QueueEntry): string {
  if (isNew) return 'New';
  const named = changed.slice(0, MAX_NAMED).map(labelOf).join(', ');
  return changed.length > MAX_NAMED ? `${named} and ${changed.length - MAX_NAMED} more` : named;
}
