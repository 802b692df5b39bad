import { Button, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { IconFilter } from '../ui/icons.ts';
import { SearchField } from '../ui/search-field.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { ActiveFilters } from './active-filters.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { Filters } from './filters.tsx';
import {
  changeListing,
  DEFAULT_PAGE_SIZE,
  DEFAULT_SORT,
  filterNames,
  type Listing,
  MAX_QUERY_LENGTH,
  pageSizes,
  sortOptions,
} from './listing.ts';
import { ProductTabs } from './product-tabs.tsx';
import styles from './products.module.css';
import { SavedViews } from './saved-views.tsx';

/**
 * Status, search, filters, saved views, columns, sort order and page size. The URL has all choices but the
 * columns. Phones show the search and a button for everything else.
 */
export function ListControls({ listing }: { listing: Listing }) {
  const navigate = useNavigate();
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const filters = filterNames.filter((name) => name !== 'query' && listing[name] !== undefined).length;
  const choose = (name: 'sort' | 'per_page', value: string): void => {
    const search = changeListing(listing, { [name]: value });
    void navigate({ to: '/products', search, resetScroll: false });
  };
  const sort = listing.sort ?? DEFAULT_SORT;
  const perPage = listing.per_page ?? String(DEFAULT_PAGE_SIZE);
  return (
    <div className={styles.controls} data-open={isOpen || undefined}>
      <div className={styles.tabs}>
        <ProductTabs listing={listing} />
      </div>
      <div className={styles.bar}>
        <SearchField
          label="Search products"
          placeholder="Title, SKU, or identifier"
          query={listing.query ?? ''}
          maxLength={MAX_QUERY_LENGTH}
          onSearch={(query) =>
            void navigate({
              to: '/products',
              search: (current) => changeListing(current, { query }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={toggle}
        >
          Filters{filters > 0 ? ` (${filters})` : ''}
        </Button>
        <div className={styles.options}>
          <SavedViews listing={listing} />
          <ColumnMenu />
          <NativeSelect
            aria-label="Sort"
            className={styles.sort ?? ''}
            value={sort}
            data={withCurrent(sortOptions, sort)}
            onChange={(event) => choose('sort', event.currentTarget.value)}
          />
          <NativeSelect
            aria-label="Per page"
            value={perPage}
            data={withCurrent(
              pageSizes.map((size) => ({ value: String(size), label: `${size} per page` })),
              perPage,
            )}
            onChange={(event) => choose('per_page', event.currentTarget.value)}
          />
        </div>
      </div>
      {isOpen && <Filters listing={listing} id={id} />}
      <ActiveFilters listing={listing} />
    </div>
  );
}
