import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
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
          <TableSkeleton rows={12} height="2.5rem" />
        )
      ) : entries.length === 0 ? (
        <EmptyState
          Icon={IconHistory}
          title="No activity yet"
          description="Changes to keys, users, products, and campaigns appear here."
        />
      ) : (
        <AuditEntries entries={entries} />
      )}
      <MoreButton pages={pages} label="Show more" />
    </Panel>
  );
}
