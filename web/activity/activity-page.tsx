import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiPath } from '../server/application.ts';
import { stringifySearch } from '../server/search-params.ts';
import { fileUrl } from '../server/shop.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconDownload, IconFilterOff, IconHistory } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import styles from './activity.module.css';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityItem } from './activity-item.tsx';
import { activityQuery } from './queries.ts';

const route = getRouteApi('/signed-in/activity');

/** So many entries are looked for by itself, because the server searches a limited number at a time. */
const WANTED = 20;

/** What happened in the shop, newest first. */
export function Page() {
  const search = route.useSearch();
  const list = useInfiniteQuery(activityQuery(search));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const entries = data?.pages.flatMap((part) => part.entries) ?? [];
  const isSearching = entries.length < WANTED && hasNextPage && !isError;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        lead="Who changed what in your shop: in the console, with API keys, and by imports."
        actions={
          <Button
            component="a"
            href={fileUrl(`${apiPath}activity.csv${stringifySearch({ ...search })}`)}
            variant="default"
            leftSection={<IconDownload size={17} />}
          >
            Download CSV
          </Button>
        }
      />
      <Panel flush>
        <ActivityFilters search={search} />
        <Loaded query={list} skeleton={<TableSkeleton rows={12} height="2.5rem" />}>
          {() =>
            entries.length > 0 ? (
              <ul className={styles.list} aria-label="Activity">
                {entries.map((entry) => (
                  <ActivityItem key={`${entry.about} ${entry.id}`} entry={entry} />
                ))}
              </ul>
            ) : isSearching ? null : isFiltered ? (
              <EmptyState
                Icon={IconFilterOff}
                title="No matching activity"
                description="Nothing that is recorded matches the filters."
              >
                <LinkButton to="/activity" variant="default">
                  Clear filters
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState
                Icon={IconHistory}
                title="No activity yet"
                description="Changes of products, campaigns, orders, keys, and users appear here."
              />
            )
          }
        </Loaded>
        {isSearching && !list.isPending ? (
          <p className={`small muted ${styles.searching}`} role="status">
            Searching older activity…
          </p>
        ) : (
          <MoreButton list={list} label="Show older activity" />
        )}
      </Panel>
    </>
  );
}
