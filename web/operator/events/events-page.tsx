import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { eventTypes } from '../../../src/events/event-types.ts';
import { Ago } from '../../format/ago.tsx';
import styles from '../../requests/requests.module.css';
import { Chip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconHistory } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { pagedQuery } from '../paged.ts';
import { wordEventType } from './type-words.ts';

const route = getRouteApi('/signed-in/events');

/** The newest events, with filters by type and merchant. */
export function Page() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(pagedQuery(['events', search], 'listNewestEvents', { parameters: search }));
  const isFiltered = Object.keys(search).length > 0;
  const change = (changed: { type?: string; merchant?: string }): void =>
    void navigate({ to: '/events', search: { ...search, ...changed }, resetScroll: false });
  return (
    <>
      <PageHeader lead="What happened to catalogs, orders, campaigns, and merchants in the last 30 days." />
      <Panel title="Newest events" flush>
        <div className={styles.filters}>
          <NativeSelect
            label="Type"
            value={search.type ?? ''}
            data={[
              { value: '', label: 'All types' },
              ...eventTypes.map((type) => ({ value: type, label: wordEventType(type) })),
            ]}
            onChange={(event) => change({ type: event.currentTarget.value })}
          />
          <form
            className={styles.search}
            onSubmit={(event) => {
              event.preventDefault();
              change({ merchant: String(new FormData(event.currentTarget).get('merchant')).trim() });
            }}
          >
            <TextInput
              key={search.merchant ?? ''}
              name="merchant"
              label="ID of the merchant"
              defaultValue={search.merchant ?? ''}
              autoComplete="off"
            />
            <Button type="submit" variant="default">
              Find
            </Button>
          </form>
        </div>
        <Loaded query={list} skeleton={8}>
          {({ pages }) =>
            pages[0]?.results.length === 0 ? (
              <EmptyState
                Icon={IconHistory}
                title={isFiltered ? 'No such events' : 'No events yet'}
                description={
                  isFiltered
                    ? 'Nothing of this kind has happened in the last 30 days.'
                    : 'What happens to catalogs, orders, campaigns, and merchants appears here.'
                }
              >
                {isFiltered && (
                  <LinkButton to="/events" variant="default">
                    Show all events
                  </LinkButton>
                )}
              </EmptyState>
            ) : (
              <ul className={styles.entries}>
                {pages.flatMap(({ results, merchants }) =>
                  results.map(({ id, type, merchant, test, occurred_at: at, data }) => (
                    <li key={id} className={styles.entry}>
                      <details>
                        <summary>
                          <span className={styles.path}>{wordEventType(type)}</span>
                          <span className="muted small">
                            {merchant === null ? 'Marketplace' : nameOf(merchant, merchants)}
                          </span>
                          {test && <Chip tone="accent">Test</Chip>}
                          <Ago at={at} className="muted small" />
                        </summary>
                        <div className={styles.detail}>
                          <p className="mono small">
                            {type} · {id}
                          </p>
                          {merchant !== null && (
                            <p>
                              <Link to="/merchants/$merchant" params={{ merchant }}>
                                Show {nameOf(merchant, merchants)}
                              </Link>
                            </p>
                          )}
                          <CodeBlock text={JSON.stringify(data, null, 2)} label="event" tall />
                        </div>
                      </details>
                    </li>
                  )),
                )}
              </ul>
            )
          }
        </Loaded>
        <MoreButton list={list} label="Show older events" />
      </Panel>
    </>
  );
}

/** Returns the merchant's name; for one that no longer has a record, the ID. */
function nameOf(merchant: string, named: readonly { external_id: string; name: string }[]): string {
  return named.find(({ external_id: id }) => id === merchant)?.name ?? merchant;
}
