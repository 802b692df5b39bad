import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFilterOff } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { System } from './queries.ts';
import styles from './system.module.css';

const sources = { environment: 'Environment', file: 'File', default: 'Default' } as const;

/** The settings in effect and where each comes from. */
export function SettingsPanel({ settings }: Pick<System, 'settings'>) {
  const [onlySet, setOnlySet] = useState(false);
  const shown = onlySet ? settings.filter(({ source }) => source !== 'default') : settings;
  return (
    <Panel
      title="Settings"
      flush
      aside={
        <Checkbox
          size="xs"
          label="Only those that are set"
          checked={onlySet}
          onChange={(event) => setOnlySet(event.currentTarget.checked)}
        />
      }
    >
      <p className={styles.lead}>
        Read when the service starts. To change one, change its environment variable or its file, and restart
        the service.
      </p>
      {shown.length === 0 ? (
        <EmptyState
          Icon={IconFilterOff}
          title="Only defaults"
          description="No setting is in the environment of the service, or in a file."
        />
      ) : (
        <Table
          caption="Settings"
          rows={shown}
          keyOf={({ name }) => name}
          columns={[
            {
              label: 'Setting',
              kind: 'lead',
              cell: ({ name }) => <span className={`mono ${styles.name}`}>{name}</span>,
            },
            { label: 'Value', cell: (setting) => <Value setting={setting} /> },
            {
              label: 'From',
              className: 'nowrap',
              cell: ({ source }) => sources[source],
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Value({ setting: { value, source, is_secret: isSecret } }: { setting: System['settings'][number] }) {
  if (value !== null) return <span className={`mono ${styles.value}`}>{value}</span>;
  const isHidden = isSecret && source !== 'default';
  return <span className="muted">{isHidden ? 'Set, and not shown' : 'Not set'}</span>;
}
