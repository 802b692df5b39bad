import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CategoryPicker } from './category-picker.tsx';
import { DEFAULT_PAGE_SIZE, DEFAULT_SORT, type Listing, pageSizes, sortChoices } from './listing.ts';
import styles from './products.module.css';

/** Category, sort and page size; each choice is in the address at once. */
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
        data={withValue(sortChoices, sort)}
        onChange={(event) => choose('sort', event.currentTarget.value)}
      />
      <NativeSelect
        label="On a page"
        value={perPage}
        data={withValue(
          pageSizes.map((size) => ({ value: String(size), label: String(size) })),
          perPage,
        )}
        onChange={(event) => choose('per_page', event.currentTarget.value)}
      />
    </div>
  );
}

/** An address may hold what is not offered here; then it is shown as it is. */
function withValue(
  choices: { value: string; label: string }[],
  value: string,
): { value: string; label: string }[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
}
