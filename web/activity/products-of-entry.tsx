import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivityProduct } from '../../src/console/activity-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './activity.module.css';
import { readProductChanges } from './change-words.ts';
import { FieldChanges } from './field-changes.tsx';
import { activityProductsQuery } from './queries.ts';

/** The products that a call or an import changed, on request. */
export function ProductsOfEntry({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <button
        type="button"
        className="text-button small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide products' : 'Show products'}
      </button>
      {isOpen && <Products id={id} />}
    </div>
  );
}

function Products({ id }: { id: string }) {
  const list = useInfiniteQuery(activityProductsQuery(id));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <Loaded query={list} skeleton={3}>
      {({ pages }) => (
        <>
          <ul className={styles.products} aria-label="Products">
            {pages
              .flatMap(({ products }) => products)
              .map((product, index) => (
                // An import can change a product twice.
                // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end
                <ChangedProduct key={`${product.internal_id} ${index}`} product={product} />
              ))}
          </ul>
          {hasNextPage && (
            <button
              type="button"
              className="text-button small"
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show more products
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

function ChangedProduct({ product }: { product: ActivityProduct }) {
  const formats = useFormats();
  const { internal_id: id, identifier, is_new: isNew, changes } = product;
  return (
    <li>
      {identifier === null ? (
        <span className="mono">{id}</span>
      ) : (
        <Link to="/products/$product" params={{ product: String(id) }}>
          {identifier}
        </Link>
      )}{' '}
      {isNew && <Chip tone="good">New</Chip>}
      {changes !== null && <FieldChanges changes={readProductChanges(changes, formats)} />}
    </li>
  );
}
