import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { LowProduct } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { InlineCell } from '../products/inline-cell.tsx';
import { stockValue } from '../products/inline-value.ts';
import type { ProductVersion } from '../products/product-version.ts';
import { productQuery } from '../products/queries.ts';
import { queryClient } from '../server/query-client.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCheck, IconCircleCheck } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './low-stock.module.css';

/** Products with low stock, those that run out first at the top. Their stock can be changed here. */
export function LowStock({ products }: { products: LowProduct[] }) {
  const rows = useSteadyRows(products);
  return (
    <Panel
      title="Low stock"
      flush
      aside={
        rows.length > 0 && (
          <Link to="/products" search={{ status: 'low_inventory' }} className="small">
            View all
          </Link>
        )
      }
    >
      {rows.length === 0 ? (
        <EmptyState
          Icon={IconCircleCheck}
          title="Stock looks good"
          description="Products with low stock appear here."
        />
      ) : (
        <ul className={styles.rows}>
          {rows.map((row) => (
            <Row key={row.internal_id} row={row} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ row }: { row: LowProduct }) {
  const { internal_id: id, identifier, product } = row;
  return (
    <li>
      <span className={styles.words}>
        <Link to="/products/$product" params={{ product: String(id) }} className={styles.title ?? ''}>
          {product?.title ?? identifier}
        </Link>
        <Cover row={row} />
      </span>
      <Stock row={row} />
    </li>
  );
}

/** Says how long the stock lasts at the rate of the last 30 days. */
function Cover({ row: { product, sold, days_of_cover: days } }: { row: LowProduct }) {
  const { whole, count } = useFormats();
  if (product !== null && product.status !== 'low_inventory')
    return (
      <span className={styles.restocked}>
        <IconCheck size={14} /> No longer low
      </span>
    );
  const rate = sold === 0 ? 'None sold in 30 days' : `${whole(sold)} sold in 30 days`;
  return (
    <span className="muted small">
      {days !== null && (days === 0 ? 'Lasts less than a day · ' : `Lasts about ${count(days, 'day')} · `)}
      {rate}
    </span>
  );
}

function Stock({ row: { internal_id: id, product } }: { row: LowProduct }) {
  const { whole } = useFormats();
  const canEdit = useAllows('editor');
  if (product === null || product.available_quantity === null) return null;
  const left = whole(product.available_quantity);
  const value = stockValue(product);
  if (!canEdit) return <span className={styles.left}>{left} left</span>;
  if (value === undefined)
    return (
      <span className={styles.left}>
        {left} left ·{' '}
        <Link to="/products/$product" params={{ product: String(id) }}>
          Restock<span className="visually-hidden"> {product.title ?? product.identifier}</span>
        </Link>
      </span>
    );
  return (
    <span className={styles.stock}>
      <InlineCell product={product} value={value}>
        {left}
      </InlineCell>
      <span aria-hidden="true">left</span>
    </span>
  );
}

/**
 * Keeps the rows where they were when the page was opened. A product that was restocked here stays, so that
 * the focus stays too, and a wrong number can be corrected.
 */
function useSteadyRows(products: LowProduct[]): LowProduct[] {
  const [first] = useState(products);
  const now = new Map(products.map((row) => [row.internal_id, row]));
  const kept = first.flatMap((row) => now.get(row.internal_id) ?? restocked(row) ?? []);
  const shown = new Set(kept.map((row) => row.internal_id));
  return [...kept, ...products.filter((row) => !shown.has(row.internal_id))];
}

/** Returns the row of a product whose stock is no longer low, if this browser knows so. */
function restocked(row: LowProduct): LowProduct | undefined {
  const key = productQuery(String(row.internal_id)).queryKey;
  const version = queryClient.getQueryData<ProductVersion>(key);
  if (version === undefined || version.product.status === 'low_inventory') return undefined;
  return { ...row, product: version.product };
}
