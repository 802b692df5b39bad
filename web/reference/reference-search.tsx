import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { SearchField } from '../ui/search-field.tsx';
import styles from './contents.module.css';
import { useReference } from './reference-context.ts';
import { type Entry, entriesOf, search } from './search-reference.ts';

const MAX_SHOWN = 30;
const kinds = { call: 'Call', parameter: 'Parameter', field: 'Field', record: 'Record' } as const;

/** Finds calls, paths, parameters and fields. Enter opens the first result, arrow keys move to the others. */
export function ReferenceSearch({ onSearching }: { onSearching: (isSearching: boolean) => void }) {
  const { document, groups } = useReference();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const results = useRef<HTMLUListElement>(null);
  const entries = useMemo(() => entriesOf(document, groups), [document, groups]);
  const found = useMemo(() => search(entries, query), [entries, query]);
  const change = (query: string): void => {
    setQuery(query);
    onSearching(query !== '');
  };
  const open = ({ group, hash }: Entry): void => {
    change('');
    void navigate({ to: '/reference/$group', params: { group }, hash });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    if (event.key === 'Enter' && target instanceof HTMLInputElement) {
      const [first] = search(entries, target.value);
      if (first !== undefined) open(first);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [...(results.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link.matches(':focus')) + (event.key === 'ArrowDown' ? 1 : -1);
    if (links.length === 0) return;
    event.preventDefault();
    if (at < 0) event.currentTarget.querySelector('input')?.focus();
    else links[Math.min(at, links.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it moves the focus between the field and its results
    <div className={styles.search} onKeyDown={onKeyDown}>
      <SearchField
        label="Search the reference"
        placeholder="Search"
        query={query}
        maxLength={100}
        onSearch={change}
      />
      {query !== '' && (
        <div className={styles.results}>
          <p role="status" className="muted small">
            {found.length === 0
              ? 'Nothing found. Search for a path, a parameter or a field.'
              : `${found.length} ${found.length === 1 ? 'result' : 'results'}`}
          </p>
          <ul ref={results} aria-label="Results">
            {found.slice(0, MAX_SHOWN).map((entry) => (
              <li key={`${entry.kind} ${entry.group} ${entry.hash}`}>
                <Link
                  to="/reference/$group"
                  params={{ group: entry.group }}
                  hash={entry.hash}
                  activeOptions={{ includeHash: true }}
                  onClick={() => change('')}
                >
                  <span className={styles.label}>{entry.label}</span>
                  <span className={styles.hint}>
                    {kinds[entry.kind]} · {entry.hint}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
