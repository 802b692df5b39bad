import { memo } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ProductImage } from './product-image.tsx';
import { ProductLink } from './product-link.tsx';
import styles from './products.module.css';
import { StatusChip } from './status-chip.tsx';

interface Props {
  product: Product;
  /** The URL of the list that contains the product. */
  list: string;
  onOpen: (internalId: string) => void;
}

export const ProductRow = memo(function ProductRow({ product, list, onOpen }: Props) {
  const { whole, amount, rating, day } = useFormats();
  return (
    <tr className={styles.row}>
      <td className="lead">
        <div className={styles.product}>
          <ProductImage url={product.primary_image} />
          <div className={styles.names}>
            <ProductLink id={String(product.internal_id)} list={list} onOpen={onOpen}>
              {product.title ?? product.identifier}
            </ProductLink>
            <span className={styles.subtitle}>
              <span className="mono" title={product.identifier}>
                {product.identifier}
              </span>
              {product.category !== null && <span>{product.category}</span>}
            </span>
          </div>
        </div>
      </td>
      <td data-label="Status">
        <StatusChip status={product.status} />
      </td>
      <td data-label="Available" className="number">
        {valueOrDash(product.available_quantity, whole)}
      </td>
      <td data-label="Cost basis" className="number">
        {valueOrDash(product.cost_basis, amount)}
      </td>
      <td data-label="Reserve price" className={`number ${styles.wide} ${styles.reserve}`}>
        {valueOrDash(product.reserve_price, amount)}
      </td>
      <td data-label="Fee bid" className={`number ${styles.wide} ${styles.sfb}`}>
        {valueOrDash(product.scheduling_fee_bid, amount)}
      </td>
      <td data-label="Rating" className={`number ${styles.wide} ${styles.rating}`}>
        {valueOrDash(product.ratings_average, rating)}
      </td>
      <td data-label="Sales" className="number">
        {valueOrDash(product.sales_count, whole)}
      </td>
      <td data-label="Updated" className={`number ${styles.wide}`}>
        {valueOrDash(product.updated_at, day)}
      </td>
    </tr>
  );
});
