import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import styles from './contents.module.css';
import type { Group } from './groups.ts';
import { Method } from './method.tsx';
import { useReference } from './reference-context.ts';
import { ReferenceSearch } from './reference-search.tsx';
import { TokenField } from './token-field.tsx';
import { useCurrentSection } from './use-current-section.ts';

/** The search, the token, and the links to all pages and to the sections of this one. */
export function Contents({ group: current }: { group: Group | undefined }) {
  const { groups } = useReference();
  const [isOpen, setIsOpen] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  const section = useCurrentSection(current);
  return (
    <div className={styles.contents} data-open={isOpen || undefined}>
      <div className={styles.bar}>
        <ReferenceSearch onSearching={setIsSearching} />
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Contents'}
        </button>
      </div>
      {!isSearching && (
        <div className={styles.list}>
          <TokenField />
          <nav aria-label="Endpoints" className={styles.pages}>
            <ul>
              <li>
                <Link to="/reference" activeOptions={{ exact: true }} onClick={() => setIsOpen(false)}>
                  Introduction
                </Link>
              </li>
              {groups.map((group) => (
                <li key={group.slug}>
                  <Link
                    to="/reference/$group"
                    params={{ group: group.slug }}
                    activeOptions={{ includeHash: false }}
                    onClick={() => setIsOpen(false)}
                  >
                    {group.name}
                  </Link>
                  {group === current && (
                    <ul className={styles.sections}>
                      {group.endpoints.map(({ method, operation: { operationId, summary } }) => (
                        <li key={operationId}>
                          <a
                            href={`#${operationId}`}
                            aria-current={section === operationId ? 'location' : undefined}
                            onClick={() => setIsOpen(false)}
                          >
                            <span>{summary}</span>
                            <Method name={method} />
                          </a>
                        </li>
                      ))}
                      {group.records.map((name) => (
                        <li key={name}>
                          <a
                            href={`#${name}`}
                            aria-current={section === name ? 'location' : undefined}
                            onClick={() => setIsOpen(false)}
                          >
                            <span className={styles.record}>{name}</span>
                          </a>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        </div>
      )}
    </div>
  );
}
