import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CategoryPage } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import styles from './products.module.css';
import { categoriesQuery } from './queries.ts';

interface Props {
  /** The chosen category; undefined for all categories. */
  value: string | undefined;
  onChange: (category: string | undefined) => void;
}

const ALL = 'All categories';
/** The server's limit, in characters. */
const MAX_SEARCH_LENGTH = 200;
const SEARCH_DELAY_MS = 200;

/** Lists the first-level categories and the children of the chosen one. Typing searches all categories. */
export function CategoryPicker({ value, onChange }: Props) {
  const { whole } = useFormats();
  const [input, setInput] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setInput('');
    },
  });
  const [query] = useDebouncedValue(input.trim(), SEARCH_DELAY_MS);
  const { categories, hasMore, isSearch } = useCategories(value, query);
  const shown = value ?? ALL;
  return (
    <Combobox
      store={combobox}
      // A portal would place the dropdown outside the page's landmarks.
      withinPortal={false}
      onOptionSubmit={(category) => {
        onChange(category === '' ? undefined : category);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target>
        <TextInput
          label="Category"
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          placeholder={shown}
          maxLength={MAX_SEARCH_LENGTH}
          value={combobox.dropdownOpened ? input : shown}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            setInput(event.currentTarget.value);
            combobox.openDropdown();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Categories" className={styles.choices ?? ''}>
          {!isSearch && (
            <Combobox.Option value="" active={value === undefined}>
              {ALL}
            </Combobox.Option>
          )}
          {categories.map(({ category, products }) => (
            <Combobox.Option key={category} value={category} active={category === value}>
              {category} ({whole(products)})
            </Combobox.Option>
          ))}
          {isSearch && !hasMore && categories.length === 0 && (
            <Combobox.Empty>No matching categories</Combobox.Empty>
          )}
        </Combobox.Options>
        {hasMore && <Combobox.Footer className="muted small">Type to search more categories</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface CategoryChoices extends Pick<CategoryPage, 'categories'> {
  hasMore: boolean;
  isSearch: boolean;
}

function useCategories(chosen: string | undefined, query: string): CategoryChoices {
  const isSearch = query !== '';
  const parent = chosen?.split('|', 1)[0]?.trim();
  const firstLevels = useQuery({ ...categoriesQuery({}), enabled: !isSearch }).data;
  const childPage = useQuery({
    ...categoriesQuery({ parent: parent ?? '' }),
    enabled: !isSearch && parent !== undefined,
  }).data;
  const found = useQuery({
    ...categoriesQuery({ query }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
  }).data;
  if (isSearch) return { categories: found?.categories ?? [], hasMore: found?.next != null, isSearch };
  const [all, children] = [firstLevels?.categories ?? [], childPage?.categories ?? []];
  // The children follow their parent, if the parent is listed.
  const isListed = all.some(({ category }) => category === parent);
  const categories = isListed
    ? all.flatMap((item) => (item.category === parent ? [item, ...children] : [item]))
    : [...children, ...all];
  const hasMore = firstLevels?.next != null || childPage?.next != null;
  return { categories, hasMore, isSearch };
}
