import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { RowsWaiting } from '../feedback/rows-waiting.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
import { Activity } from './activity.tsx';
import { CreateKey } from './create-key.tsx';
import styles from './keys.module.css';
import { KeysTable } from './keys-table.tsx';
import { MoreButton } from './more-button.tsx';
import { type Key, keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type Task = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: Key };

export function Page() {
  const pages = useInfiniteQuery(keysQuery);
  const { data, error, refetch } = pages;
  const keys = data?.pages.flatMap((page) => page.keys);
  const [task, setTask] = useState<Task>();
  const close = (): void => setTask(undefined);
  const create = (
    <Button
      leftSection={<IconPlus size={17} aria-hidden="true" />}
      onClick={() => setTask({ kind: 'create' })}
    >
      Make a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        lead="Your software signs in with these. Give each program its own, so that you can end one without the others."
        actions={create}
      />
      <div className={styles.parts}>
        <Panel flush>
          {keys !== undefined ? (
            keys.length === 0 ? (
              <EmptyState
                Icon={IconKey}
                title="No keys yet"
                words="Make one for the program that will read your products and sales."
              >
                {create}
              </EmptyState>
            ) : (
              <KeysTable
                keys={keys}
                onRotate={(key) => setTask({ kind: 'rotate', key })}
                onRevoke={(key) => setTask({ kind: 'revoke', key })}
              />
            )
          ) : error !== null ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <RowsWaiting rows={3} />
          )}
          <MoreButton pages={pages} label="Show older keys" />
        </Panel>
        {(data !== undefined || error !== null) && (
          <div id="activity">
            <Activity />
          </div>
        )}
      </div>
      <CreateKey opened={task?.kind === 'create'} onClose={close} />
      {task?.kind === 'rotate' && <RotateKey key={task.key.id} of={task.key} onClose={close} />}
      {task?.kind === 'revoke' && <RevokeKey key={task.key.id} of={task.key} onClose={close} />}
    </>
  );
}
