import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconSearch } from './icons.ts';
import styles from './search-field.module.css';
import { focusWantedSearch, SEARCH_ID } from './search-focus.ts';

const DELAY_MS = 250;

interface Props {
  label: string;
  placeholder: string;
  /** The query of the URL; '' for none. */
  query: string;
  maxLength: number;
  /** Puts a query into the URL. */
  onSearch: (query: string) => void;
}

/** Searches while the user types. The URL has the query. */
export function SearchField({ label, placeholder, query, maxLength, onSearch }: Props) {
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The URL may change without this field, for example with the back button. What the user types while the
  // URL follows an earlier text must stay.
  const [requested, setRequested] = useState(query);
  const [shownQuery, setShownQuery] = useState(query);
  if (query !== shownQuery) {
    setShownQuery(query);
    if (query !== requested) setText(query);
    setRequested(query);
  }
  useEffect(() => {
    // After the page has moved the focus to itself.
    const frame = requestAnimationFrame(focusWantedSearch);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer.current);
    };
  }, []);
  const search = (wanted: string, delay = 0): void => {
    setText(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setRequested(wanted.trim());
      onSearch(wanted.trim());
    }, delay);
  };
  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <TextInput
          id={SEARCH_ID}
          ref={input}
          type="search"
          aria-label={label}
          aria-keyshortcuts="/"
          placeholder={placeholder}
          autoComplete="off"
          maxLength={maxLength}
          leftSection={<IconSearch size={16} />}
          rightSection={
            text === '' ? (
              <span className={styles.key} aria-hidden="true">
                /
              </span>
            ) : (
              <CloseButton
                size="sm"
                aria-label="Clear search"
                onClick={() => {
                  search('');
                  input.current?.focus();
                }}
              />
            )
          }
          value={text}
          onChange={(event) => search(event.currentTarget.value, DELAY_MS)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            if (text === '') event.currentTarget.blur();
            else search('');
          }}
        />
      </form>
    </search>
  );
}
