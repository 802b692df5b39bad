import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconArrowDown, IconArrowUp } from './icons.ts';
import styles from './sort-header.module.css';

interface Props {
  to: '/products' | '/sales';
  /** What the page's URL has. Its page is left out of links. */
  search: { page?: string; sort?: string };
  /** The order that is shown, such as `sales_descending`. */
  sort: string;
  field: string;
  /** Whether a first click sorts from A to Z. */
  startsAscending?: boolean;
  number?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A column header that sorts by its column, highest first or A to Z. A second click reverses the order. */
export function SortHeader(props: Props) {
  const {
    to,
    search,
    sort,
    field,
    startsAscending = false,
    number = false,
    className = '',
    children,
  } = props;
  const { page: _, ...rest } = search;
  const isDescending = sort === `${field}_descending`;
  const isAscending = sort === `${field}_ascending`;
  const toDescending = isAscending || (!isDescending && !startsAscending);
  const Icon = isAscending ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={`${number ? 'number' : ''} ${className}`}
      aria-sort={isDescending ? 'descending' : isAscending ? 'ascending' : undefined}
    >
      <Link
        to={to}
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
