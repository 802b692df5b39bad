import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import { refresh } from '../../server/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { IconDatabase } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { call } from '../call.ts';
import { useAllows } from '../session.ts';
import type { System } from './queries.ts';
import styles from './system.module.css';

const HOUR = 3600;

/** Such as “every 6 hours”. */
function everyText(seconds: number): string {
  const [count, unit] = seconds % HOUR === 0 ? [seconds / HOUR, 'hour'] : [seconds / 60, 'minute'];
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** The newest backups, and a button that creates another one. */
export function BackupsPanel({ backups }: Pick<System, 'backups'>) {
  const { files, to, keep, every_seconds: every, running, unavailable, failure } = backups;
  const { bytes } = useFormats();
  const isAdmin = useAllows('admin');
  const backup = useMutation({
    mutationFn: () => call('backUp'),
    onSuccess: ({ file, bytes: size }) =>
      notifications.show({ message: `Backup ${file} is complete: ${bytes(size)}.` }),
    onSettled: () => refresh('system', 'audit'),
  });
  const isRunning = running || backup.isPending;
  return (
    <Panel
      title="Backups"
      flush
      aside={
        isAdmin &&
        unavailable === null && (
          <Button size="compact-sm" loading={isRunning} onClick={() => backup.mutate()}>
            Back up now
          </Button>
        )
      }
    >
      {backup.error !== null && (
        <div className={styles.inset}>
          <FormError error={backup.error} />
        </div>
      )}
      {failure !== null && (
        <p className={styles.lead}>
          The last one failed <Ago at={failure.at} />: {failure.reason}
        </p>
      )}
      {files.length === 0 ? (
        <EmptyState
          Icon={IconDatabase}
          title={unavailable === null ? 'No backups yet' : 'No backups from here'}
          description={unavailable ?? `Backups appear here once there is one in ${to ?? ''}.`}
        />
      ) : (
        <>
          <p className={styles.lead}>
            In <span className="mono">{to}</span>, {every === null ? 'made only on demand' : everyText(every)}
            . The newest {keep} are kept. They don’t contain the key file.
          </p>
          <Table
            caption="Backups"
            rows={files}
            keyOf={({ file }) => file}
            columns={[
              { label: 'File', kind: 'lead', cell: ({ file }) => <span className="mono">{file}</span> },
              { label: 'Created', className: 'nowrap', cell: ({ at }) => <Ago at={at} /> },
              { label: 'Size', kind: 'number', cell: ({ bytes: size }) => bytes(size) },
            ]}
          />
        </>
      )}
    </Panel>
  );
}
