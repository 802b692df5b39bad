import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { Panel } from '../shell/panel.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { MoreButton } from './more-button.tsx';
import { auditQuery } from './queries.ts';

export function Activity() {
  const pages = useInfiniteQuery(auditQuery);
  const { data, error, refetch } = pages;
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
      <MoreButton pages={pages} label="Show more" />
    </Panel>
  );
}
