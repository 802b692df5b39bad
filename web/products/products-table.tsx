import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useAllows } from '../session/role.ts';
import { SortHeader } from '../ui/sort-header.tsx';
import type { ListColumn } from './columns.ts';
import { DEFAULT_SORT, type Listing } from './listing.ts';
import { ProductRow } from './product-row.tsx';
import styles from './products.module.css';
import type { Selection } from './use-selection.ts';

interface Props {
  products: Product[];
  listing: Listing;
  columns: readonly ListColumn[];
  selection: Selection;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
}

/** A page of products. Uses plain elements, because a page can have hundreds of rows. */
export function ProductsTable({ products, listing, columns, selection, onSelect }: Props) {
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
      <table className={`table cards ${styles.list}`}>
        <thead>
          <tr>
            <SortHeader {...sortedBy(listing)} field="unique_id" startsAscending>
              Product
            </SortHeader>
            {columns.map((column) => (
              <ColumnHeader key={column.name} column={column} listing={listing} />
            ))}
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow
              key={product.internal_id}
              product={product}
              columns={columns}
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

function ColumnHeader({ column, listing }: { column: ListColumn; listing: Listing }) {
  const { label, short, sort, kind, isMinor } = column;
  const text = short === undefined ? label : <abbr title={label}>{short}</abbr>;
  const isNumber = kind === 'number';
  if (sort !== undefined)
    return (
      <SortHeader
        {...sortedBy(listing)}
        field={sort}
        number={isNumber}
        className={isMinor ? styles.wide : undefined}
      >
        {text}
      </SortHeader>
    );
  return (
    <th scope="col" className={isNumber ? 'number' : undefined}>
      {text}
    </th>
  );
}

function sortedBy(listing: Listing) {
  return { to: '/products', search: listing, sort: listing.sort ?? DEFAULT_SORT } as const;
}
