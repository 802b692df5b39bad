import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../src/console/console-api.ts';
import { AuditEntries } from '../activity/audit-entries.tsx';
import { Panel } from '../ui/panel.tsx';

export function RecentActivity({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Panel
      title="Recent activity"
      flush
      aside={
        <Link to="/activity" className="small">
          All activity
        </Link>
      }
    >
      <AuditEntries entries={entries.slice(0, 6)} />
    </Panel>
  );
}
