import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp } from '../ui/icons.ts';
import { DEFAULT_SORT, type Listing, type SortField } from './listing.ts';
import styles from './products.module.css';

interface Props {
  field: SortField;
  listing: Listing;
  number?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A column header that sorts by its column, highest first or A to Z. A second click reverses the order. */
export function SortHeader({ field, listing, number = false, className = '', children }: Props) {
  const { page: _, sort = DEFAULT_SORT, ...rest } = listing;
  const isDescending = sort === `${field}_descending`;
  const isAscending = sort === `${field}_ascending`;
  const startsDescending = field !== 'unique_id';
  const toDescending = isAscending || (!isDescending && startsDescending);
  const Icon = isAscending ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={`${number ? 'number' : ''} ${className}`}
      aria-sort={isDescending ? 'descending' : isAscending ? 'ascending' : undefined}
    >
      <Link
        to="/products"
        search={{ ...rest, sort: `${field}_${toDescending ? 'descending' : 'ascending'}` }}
        className={styles.sorter ?? ''}
        data-sorted={isDescending || isAscending || undefined}
        activeOptions={{ exact: true }}
        resetScroll={false}
      >
        {children}
        <Icon size={13} className={styles.arrow} />
      </Link>
    </th>
  );
}
