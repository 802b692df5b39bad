import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { auditQuery } from './queries.ts';

interface Props {
  /** What appears here later, for an empty log. */
  empty: string;
}

/** The newest entries of the audit log. */
export function Activity({ empty }: Props) {
  const list = useInfiniteQuery(auditQuery);
  return (
    <Panel title="Activity" flush>
      <Loaded query={list} skeleton={<TableSkeleton rows={12} height="2.5rem" />}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <EmptyState Icon={IconHistory} title="No activity yet" description={empty} />
          ) : (
            <AuditEntries entries={pages.flatMap(({ entries }) => entries)} />
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show more" />
    </Panel>
  );
}
