import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CategoryPage } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import styles from './products.module.css';
import { categoriesQuery } from './queries.ts';

interface Props {
  /** The chosen category; undefined for all. */
  value: string | undefined;
  onChange: (category: string | undefined) => void;
}

const ALL = 'All categories';
/** As the service takes. */
const LONGEST_SEARCH = 200;
const SEARCH_AFTER_MS = 200;

/** Offers the first levels and those below the chosen one; typing finds the others. */
export function CategoryPicker({ value, onChange }: Props) {
  const { whole } = useFormats();
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  const [query] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const { categories, hasMore, isSearch } = useCategories(value, query);
  const shown = value ?? ALL;
  return (
    <Combobox
      store={combobox}
      // Else it would be outside of the page's landmarks.
      withinPortal={false}
      onOptionSubmit={(category) => {
        onChange(category === '' ? undefined : category);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target>
        <TextInput
          label="Category"
          className={styles.category ?? ''}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          placeholder={shown}
          maxLength={LONGEST_SEARCH}
          value={combobox.dropdownOpened ? typed : shown}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
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
        {hasMore && <Combobox.Footer className="soft small">Type to find more.</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface Offered extends Pick<CategoryPage, 'categories'> {
  hasMore: boolean;
  isSearch: boolean;
}

function useCategories(chosen: string | undefined, query: string): Offered {
  const isSearch = query !== '';
  const first = chosen?.split('|', 1)[0]?.trim();
  const firstLevels = useQuery({ ...categoriesQuery({}), enabled: !isSearch }).data;
  const below = useQuery({
    ...categoriesQuery({ first: first ?? '' }),
    enabled: !isSearch && first !== undefined,
  }).data;
  const found = useQuery({
    ...categoriesQuery({ query }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
  }).data;
  if (isSearch) return { categories: found?.categories ?? [], hasMore: found?.next != null, isSearch };
  const [all, within] = [firstLevels?.categories ?? [], below?.categories ?? []];
  // The second levels follow their first level, if that is among those that are offered.
  const isOffered = all.some(({ category }) => category === first);
  const categories = isOffered
    ? all.flatMap((one) => (one.category === first ? [one, ...within] : [one]))
    : [...within, ...all];
  const hasMore = firstLevels?.next != null || below?.next != null;
  return { categories, hasMore, isSearch };
}
