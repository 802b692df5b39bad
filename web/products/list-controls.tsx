import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { DEFAULT_PAGE_SIZE, DEFAULT_SORT, type Listing, pageSizes, sortChoices } from './listing.ts';
import styles from './products.module.css';
import { countsQuery } from './queries.ts';

/** Category, sort and page size; each choice is in the address at once. */
export function ListControls({ listing }: { listing: Listing }) {
  const navigate = useNavigate();
  const categories = useCategories(listing.category);
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
      <NativeSelect
        label="Category"
        className={styles.category ?? ''}
        value={listing.category ?? ''}
        data={categories}
        onChange={(event) => choose('category', event.currentTarget.value)}
      />
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

function useCategories(chosen: string | undefined): { value: string; label: string }[] {
  const { data } = useQuery(countsQuery);
  const { whole } = useFormats();
  const choices = (data?.categories ?? []).map(({ category, products }) => ({
    value: category,
    label: `${category} (${whole(products)})`,
  }));
  return [
    { value: '', label: 'All categories' },
    ...(chosen === undefined ? choices : withValue(choices, chosen)),
  ];
}

/** An address may hold what is not offered here; then it is shown as it is. */
function withValue(
  choices: { value: string; label: string }[],
  value: string,
): { value: string; label: string }[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
}
