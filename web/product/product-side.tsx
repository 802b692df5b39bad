import type { Product } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { statusDescriptions, tracksStock } from '../products/listing.ts';
import { StatusChip } from '../products/status-chip.tsx';
import { Chip } from '../ui/chip.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './product.module.css';
import { ProductActions } from './product-actions.tsx';
import type { Editor } from './use-editor.ts';

/** What the merchant cannot edit: the status with its actions, performance, times, and the record as JSON. */
export function ProductSide({ editor, readOnly }: { editor: Editor; readOnly: boolean }) {
  const { product } = editor.base;
  const facts = useFacts(product);
  return (
    <div className={styles.side}>
      <Panel title="Status">
        <div className={styles.chips}>
          <StatusChip status={product.status} />
          {product.catalog_only_at !== null && (
            <Chip tone="quiet" title="Sold from the catalog, and never placed in auctions.">
              Catalog only
            </Chip>
          )}
        </div>
        <p className={`small muted ${styles.statusText}`}>{statusDescriptions[product.status]}</p>
        {!readOnly && <ProductActions version={editor.base} isDirty={editor.isDirty} />}
      </Panel>
      <Panel title="Performance">
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <details className={styles.json}>
          <summary className="small">JSON</summary>
          <CodeBlock text={JSON.stringify(product, null, 2)} label="product as JSON" tall />
        </details>
      </Panel>
    </div>
  );
}

/** Returns the facts that have a value, with their labels. */
function useFacts(product: Product): [label: string, value: string][] {
  const { whole, rating, time } = useFormats();
  const format = <Value,>(value: Value | null, text: (value: Value) => string): string | null =>
    value === null ? null : text(value);
  const facts: [string, string | null][] = [
    ['Available', tracksStock(product) ? format(product.available_quantity, whole) : null],
    ['Sales', format(product.sales_count, whole)],
    ['Rating', format(product.ratings_average, rating)],
    ['Ratings', product.ratings_count === 0 ? null : format(product.ratings_count, whole)],
    ['Created', format(product.created_at, time)],
    ['Updated', format(product.updated_at, time)],
    ['Disabled', format(product.disabled_at, time)],
    ['Deleted', format(product.deleted_at, time)],
    ['Catalog only since', format(product.catalog_only_at, time)],
    ['Internal ID', String(product.internal_id)],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}
