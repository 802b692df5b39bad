import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconKey, IconPlus } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { Activity } from './activity.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { type Key, keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type OpenDialog = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: Key };

export function Page() {
  const list = useInfiniteQuery(keysQuery);
  const isOwner = useAllows('owner');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const create = isOwner && (
    <Button leftSection={<IconPlus size={17} />} onClick={() => setDialog({ kind: 'create' })}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        lead="Create a separate key for each integration, so you can revoke one without breaking the others."
        actions={create}
      />
      <RoleNotice least="owner" action="create, rotate, and revoke keys" />
      <div className="parts">
        <Panel flush>
          <Loaded query={list} skeleton={3}>
            {({ pages }) =>
              pages[0]?.keys.length === 0 ? (
                <EmptyState
                  Icon={IconKey}
                  title="No keys yet"
                  description="Create a key for the software that will use the API."
                >
                  {create}
                </EmptyState>
              ) : (
                <KeysTable
                  keys={pages.flatMap(({ keys }) => keys)}
                  onRotate={(key) => setDialog({ kind: 'rotate', key })}
                  onRevoke={(key) => setDialog({ kind: 'revoke', key })}
                />
              )
            }
          </Loaded>
          <MoreButton list={list} label="Show older keys" />
        </Panel>
        {!list.isPending && (
          <div id="activity">
            <Activity empty="Changes to keys, users, products, and campaigns appear here." />
          </div>
        )}
      </div>
      {dialog?.kind === 'create' && <CreateKey onClose={close} />}
      {dialog?.kind === 'rotate' && <RotateKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
    </>
  );
}
