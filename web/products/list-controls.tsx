import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CategoryPicker } from './category-picker.tsx';
import { DEFAULT_PAGE_SIZE, DEFAULT_SORT, type Listing, pageSizes, sortOptions } from './listing.ts';
import styles from './products.module.css';

/** Category, sort order and page size. Each choice changes the URL immediately. */
export function ListControls({ listing }: { listing: Listing }) {
  const navigate = useNavigate();
  const choose = (name: 'category' | 'sort' | 'per_page', value: string): void => {
    const { page: _, [name]: __, ...rest } = listing;
    void navigate({
      to: '/products',
      search: value === '' ? rest : { ...rest, [name]: value },
      resetScroll: false,
    });
  };
  const sort = listing.sort ?? DEFAULT_SORT;
  const perPage = listing.per_page ?? String(DEFAULT_PAGE_SIZE);
  return (
    <div className={styles.controls}>
      <CategoryPicker value={listing.category} onChange={(category) => choose('category', category ?? '')} />
      <NativeSelect
        label="Sort"
        value={sort}
        data={withCurrentValue(sortOptions, sort)}
        onChange={(event) => choose('sort', event.currentTarget.value)}
      />
      <NativeSelect
        label="Per page"
        value={perPage}
        data={withCurrentValue(
          pageSizes.map((size) => ({ value: String(size), label: String(size) })),
          perPage,
        )}
        onChange={(event) => choose('per_page', event.currentTarget.value)}
      />
    </div>
  );
}

/** Adds the current value if the URL has one that is not among the options. */
function withCurrentValue(
  options: { value: string; label: string }[],
  value: string,
): { value: string; label: string }[] {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
}
