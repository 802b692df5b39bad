import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField } from '../ui/search-field.tsx';
import styles from './records.module.css';

/** What the lists of all merchants' records have in common in their URLs. */
export interface RecordSearch {
  query?: string;
  status?: string;
  merchant?: string;
  test?: string;
}

interface Props {
  /** What is listed, such as `products`. */
  records: string;
  search: RecordSearch;
  /** The name of the merchant in the URL; undefined until it is known. */
  merchantName: string | undefined;
  placeholder: string;
  maxLength: number;
  statuses: readonly { value: string; label: string }[];
  /** Puts changed parameters into the URL; an empty value removes one. */
  onChange: (changes: RecordSearch) => void;
  /** Further filters. */
  children?: ReactNode;
}

/** The search and the filters of a list of records of all merchants. */
export function RecordFilters({
  records,
  search,
  merchantName,
  placeholder,
  maxLength,
  statuses,
  onChange,
  children,
}: Props) {
  const { query = '', status = '', merchant, test } = search;
  return (
    <div className={styles.filters}>
      <SearchField
        label={`Search ${records}`}
        placeholder={placeholder}
        query={query}
        maxLength={maxLength}
        onSearch={(wanted) => onChange({ query: wanted })}
      />
      <NativeSelect
        aria-label="Status"
        value={status}
        data={[{ value: '', label: 'Any status' }, ...statuses]}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
      />
      {children}
      <NativeSelect
        aria-label="Data"
        value={test === 'true' ? 'true' : ''}
        data={[
          { value: '', label: 'Live data' },
          { value: 'true', label: 'Test data' },
        ]}
        onChange={(event) => onChange({ test: event.currentTarget.value })}
      />
      {merchant !== undefined && (
        <p className={styles.merchant}>
          Only of <strong>{merchantName ?? merchant}</strong>
          <button type="button" className="text-button" onClick={() => onChange({ merchant: '' })}>
            Show all merchants
          </button>
        </p>
      )}
    </div>
  );
}
