import { Ago } from '../../format/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { System } from './queries.ts';

/** The processes that serve the database, then those that ended in the last day. */
export function NodesPanel({ nodes }: Pick<System, 'nodes'>) {
  const sorted = nodes.toSorted((one, other) => Number(other.running) - Number(one.running));
  return (
    <Panel title="Processes" flush>
      <Table
        caption="Processes"
        rows={sorted}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Machine',
            kind: 'lead',
            cell: ({ host, pid }) => (
              <>
                <strong>{host}</strong> <span className="muted small">process {pid}</span>
              </>
            ),
          },
          {
            label: 'State',
            kind: 'text',
            cell: ({ running }) => (
              <Chip tone={running ? 'good' : 'quiet'}>{running ? 'Running' : 'Not seen recently'}</Chip>
            ),
          },
          { label: 'Version', cell: ({ version }) => version },
          { label: 'Started', className: 'nowrap', cell: ({ started_at: at }) => <Ago at={at} /> },
          { label: 'Last seen', className: 'nowrap', cell: ({ seen_at: at }) => <Ago at={at} /> },
        ]}
      />
    </Panel>
  );
}
