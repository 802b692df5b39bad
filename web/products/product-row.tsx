import { memo, type ReactNode } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyValue, valueOrDash } from '../ui/empty-value.tsx';
import { InlineCell } from './inline-cell.tsx';
import { priceValue, stockValue } from './inline-value.ts';
import { tracksStock } from './listing.ts';
import { ProductImage } from './product-image.tsx';
import { ProductLink } from './product-link.tsx';
import styles from './products.module.css';
import { StatusChip } from './status-chip.tsx';

interface Props {
  product: Product;
  canEdit: boolean;
  isSelected: boolean;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onOpen: (internalId: string) => void;
}

export const ProductRow = memo(function ProductRow({
  product,
  canEdit,
  isSelected,
  onSelect,
  onOpen,
}: Props) {
  const { whole, money, rating, day } = useFormats();
  const { title, identifier, category } = product;
  const isDeleted = product.status === 'deleted';
  const price = valueOrDash(product.buy_now_price, money);
  return (
    <tr className={styles.row}>
      <td className="lead">
        <div className={styles.product}>
          {canEdit && (
            <input
              type="checkbox"
              className={styles.select}
              aria-label={`Select ${title ?? identifier}`}
              checked={isSelected}
              onChange={(event) => onSelect([product.internal_id], event.currentTarget.checked)}
            />
          )}
          <ProductImage url={product.primary_image} />
          <div className={styles.names}>
            <ProductLink id={String(product.internal_id)} onOpen={onOpen}>
              {title ?? identifier}
            </ProductLink>
            <span
              className={styles.subtitle}
              title={category === null ? identifier : `${identifier} · ${category}`}
            >
              <span className="mono">{identifier}</span>
              {category !== null && <span className={styles.path}>{category}</span>}
            </span>
          </div>
        </div>
      </td>
      <td data-label="Status" className={styles.status}>
        <StatusChip status={product.status} />
      </td>
      <Cell label="Stock">
        <Stock product={product} canEdit={canEdit && !isDeleted} />
      </Cell>
      <Cell label="Price">
        {canEdit && !isDeleted ? (
          <InlineCell product={product} value={priceValue}>
            {price}
          </InlineCell>
        ) : (
          price
        )}
      </Cell>
      <Cell label="Cost basis" empty={product.cost_basis === null} className={styles.cost}>
        {valueOrDash(product.cost_basis, money)}
      </Cell>
      <Cell
        label="Reserve price"
        empty={product.reserve_price === null}
        className={`${styles.wide} ${styles.reserve}`}
      >
        {valueOrDash(product.reserve_price, money)}
      </Cell>
      <Cell
        label="Fee bid"
        empty={product.scheduling_fee_bid === null}
        className={`${styles.wide} ${styles.sfb}`}
      >
        {valueOrDash(product.scheduling_fee_bid, money)}
      </Cell>
      <Cell
        label="Rating"
        empty={product.ratings_average === null}
        className={`${styles.wide} ${styles.rating}`}
      >
        {valueOrDash(product.ratings_average, rating)}
      </Cell>
      <Cell label="Sales" empty={(product.sales_count ?? 0) === 0} className={styles.sales}>
        {valueOrDash(product.sales_count, whole)}
      </Cell>
      <Cell label="Updated" className={styles.wide}>
        {valueOrDash(product.updated_at, day)}
      </Cell>
    </tr>
  );
});

interface CellProps {
  label: string;
  /** Whether phones leave the cell out. */
  empty?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function Cell({ label, empty = false, className = '', children }: CellProps) {
  return (
    <td data-label={label} className={`number ${className} ${empty ? styles.empty : ''}`}>
      {children}
    </td>
  );
}

function Stock({ product, canEdit }: { product: Product; canEdit: boolean }) {
  const { whole } = useFormats();
  const { available_quantity: units, variations } = product;
  const shown = tracksStock(product) ? (
    valueOrDash(units, whole)
  ) : (
    <span title="Stock isn’t tracked">
      <EmptyValue />
    </span>
  );
  const value = canEdit ? stockValue(product) : undefined;
  if (value !== undefined) {
    return (
      <InlineCell product={product} value={value}>
        {shown}
      </InlineCell>
    );
  }
  return variations.length > 1 ? (
    <span title={`In ${variations.length} variations. Open the product to change it.`}>{shown}</span>
  ) : (
    shown
  );
}
