import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconKey, IconPlus } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { Activity } from './activity.tsx';
import { CreateKey } from './create-key.tsx';
import styles from './keys.module.css';
import { KeysTable } from './keys-table.tsx';
import { MoreButton } from './more-button.tsx';
import { type Key, keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type OpenDialog = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: Key };

export function Page() {
  const pages = useInfiniteQuery(keysQuery);
  const { data, error, refetch } = pages;
  const keys = data?.pages.flatMap((page) => page.keys);
  const isOwner = useAllows('owner');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const create = isOwner && (
    <Button
      leftSection={<IconPlus size={17} aria-hidden="true" />}
      onClick={() => setDialog({ kind: 'create' })}
    >
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        lead="Create a separate key for each integration, so you can revoke one without breaking the others."
        actions={create}
      />
      <RoleNotice least="owner" action="create, rotate, and revoke keys" />
      <div className={styles.parts}>
        <Panel flush>
          {keys !== undefined ? (
            keys.length === 0 ? (
              <EmptyState
                Icon={IconKey}
                title="No keys yet"
                description="Create a key for the software that will use the API."
              >
                {create}
              </EmptyState>
            ) : (
              <KeysTable
                keys={keys}
                onRotate={(key) => setDialog({ kind: 'rotate', key })}
                onRevoke={(key) => setDialog({ kind: 'revoke', key })}
              />
            )
          ) : error !== null ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <TableSkeleton rows={3} />
          )}
          <MoreButton pages={pages} label="Show older keys" />
        </Panel>
        {(data !== undefined || error !== null) && (
          <div id="activity">
            <Activity />
          </div>
        )}
      </div>
      {dialog?.kind === 'create' && <CreateKey onClose={close} />}
      {dialog?.kind === 'rotate' && <RotateKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
    </>
  );
}
