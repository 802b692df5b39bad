import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DEFAULT_SORT, type Listing, type SortWord } from './listing.ts';
import styles from './products.module.css';

interface Props {
  word: SortWord;
  listing: Listing;
  number?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A column's head: sorts by it, the highest first; once more turns it round. */
export function SortHeader({ word, listing, number = false, className = '', children }: Props) {
  const { page: _, sort = DEFAULT_SORT, ...rest } = listing;
  const isDown = sort === `${word}_descending`;
  const isUp = sort === `${word}_ascending`;
  const downFirst = word !== 'unique_id';
  const goDown = isUp || (!isDown && downFirst);
  const Icon = isUp ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={`${number ? 'number' : ''} ${className}`}
      aria-sort={isDown ? 'descending' : isUp ? 'ascending' : undefined}
    >
      <Link
        to="/products"
        search={{ ...rest, sort: `${word}_${goDown ? 'descending' : 'ascending'}` }}
        className={styles.sorter ?? ''}
        data-sorted={isDown || isUp || undefined}
        activeOptions={{ exact: true }}
        resetScroll={false}
      >
        {children}
        <Icon size={13} aria-hidden="true" className={styles.arrow} />
      </Link>
    </th>
  );
}
