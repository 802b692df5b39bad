import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useAllows } from '../session/role.ts';
import type { Listing } from './listing.ts';
import { ProductRow } from './product-row.tsx';
import styles from './products.module.css';
import { SortHeader } from './sort-header.tsx';
import type { Selection } from './use-selection.ts';

interface Props {
  products: Product[];
  listing: Listing;
  selection: Selection;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
}

/** A page of products. Uses plain elements, because a page can have hundreds of rows. */
export function ProductsTable({ products, listing, selection, onSelect }: Props) {
  const navigate = useNavigate();
  const open = useCallback(
    (product: string) => {
      void navigate({ to: '/products/$product', params: { product } });
    },
    [navigate],
  );
  const canEdit = useAllows('editor');
  return (
    <div className={`table-frame ${styles.frame}`}>
      <table
        className={`table cards ${styles.list}`}
        data-sorted={listing.sort?.replace(/_(a|de)scending$/, '')}
      >
        <thead>
          <tr>
            <SortHeader field="unique_id" listing={listing}>
              Product
            </SortHeader>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Stock
            </th>
            <th scope="col" className="number">
              <abbr title="Buy-now price">Price</abbr>
            </th>
            <SortHeader field="target_price" listing={listing} number className={styles.cost}>
              Cost basis
            </SortHeader>
            <SortHeader field="reserve_price" listing={listing} number className={styles.reserve}>
              Reserve
            </SortHeader>
            <SortHeader field="sfb" listing={listing} number className={styles.sfb}>
              <abbr title="Scheduling fee bid">Fee bid</abbr>
            </SortHeader>
            <SortHeader field="ratings" listing={listing} number className={styles.rating}>
              Rating
            </SortHeader>
            <SortHeader field="sales" listing={listing} number className={styles.sales}>
              Sales
            </SortHeader>
            <SortHeader field="updated_at" listing={listing} number>
              Updated
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow
              key={product.internal_id}
              product={product}
              canEdit={canEdit}
              isSelected={selection.all || selection.ids.has(product.internal_id)}
              onSelect={onSelect}
              onOpen={open}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
