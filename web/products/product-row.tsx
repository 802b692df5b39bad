import { memo } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import type { ListColumn } from './columns.ts';
import { ProductCell } from './product-cell.tsx';
import { ProductImage } from './product-image.tsx';
import { ProductLink } from './product-link.tsx';
import styles from './products.module.css';

interface Props {
  product: Product;
  columns: readonly ListColumn[];
  canEdit: boolean;
  isSelected: boolean;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onOpen: (internalId: string) => void;
}

export const ProductRow = memo(function ProductRow({
  product,
  columns,
  canEdit,
  isSelected,
  onSelect,
  onOpen,
}: Props) {
  const { title, identifier, category } = product;
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
      {columns.map((column) => (
        <ProductCell key={column.name} product={product} column={column} canEdit={canEdit} />
      ))}
    </tr>
  );
});
