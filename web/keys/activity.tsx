import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { Panel } from '../shell/panel.tsx';
import { AuditEntries } from './audit-entries.tsx';
import styles from './keys.module.css';
import { auditQuery } from './queries.ts';

export function Activity() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(auditQuery);
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Panel title="Activity" flush>
      {entries === undefined ? (
        error !== null ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <RowsWaiting rows={12} height="2.5rem" />
        )
      ) : entries.length === 0 ? (
        <EmptyState
          Icon={IconHistory}
          title="Nothing yet"
          words="Who made, rotated or revoked a key is listed here."
        />
      ) : (
        <AuditEntries entries={entries} />
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button
            variant="default"
            size="sm"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
    </Panel>
  );
}
