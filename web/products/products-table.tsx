import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { writeSearch } from '../search.ts';
import type { Listing } from './listing.ts';
import { ProductRow } from './product-row.tsx';
import styles from './products.module.css';
import { SortHeader } from './sort-header.tsx';

/** A page of products. Plain elements, as a page may have hundreds of rows. */
export function ProductsTable({ products, listing }: { products: Product[]; listing: Listing }) {
  const navigate = useNavigate();
  const open = useCallback(
    (product: string) => {
      void navigate({ to: '/products', search: (search) => ({ ...search, product }), resetScroll: false });
    },
    [navigate],
  );
  const address = `/console/products${writeSearch({ ...listing, product: '' })}`;
  return (
    <div className={`table-frame ${styles.frame}`}>
      <table
        className={`table cards ${styles.list}`}
        data-sorted={listing.sort?.replace(/_(a|de)scending$/, '')}
      >
        <thead>
          <tr>
            <SortHeader word="unique_id" listing={listing}>
              Product
            </SortHeader>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Available
            </th>
            <SortHeader word="target_price" listing={listing} number>
              Cost basis
            </SortHeader>
            <SortHeader word="reserve_price" listing={listing} number className={styles.reserve}>
              Reserve
            </SortHeader>
            <SortHeader word="sfb" listing={listing} number className={styles.sfb}>
              <abbr title="Scheduling fee bid">SFB</abbr>
            </SortHeader>
            <SortHeader word="ratings" listing={listing} number className={styles.rating}>
              Rating
            </SortHeader>
            <SortHeader word="sales" listing={listing} number>
              Sales
            </SortHeader>
            <SortHeader word="updated_at" listing={listing} number>
              Changed
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow key={product.internal_id} product={product} list={address} onOpen={open} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
