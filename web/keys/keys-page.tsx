import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCircleCheck, IconKey, IconPlus } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ShownPart } from '../ui/shown-part.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { expiringKeysQuery, type Key, keysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const route = getRouteApi('/signed-in/keys');
/** The status in the URL of the list of keys that expire within a week. */
const EXPIRING = 'expiring';

type OpenDialog = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: Key };

export function Page() {
  const isExpiringOnly = route.useSearch().status === EXPIRING;
  const list = useInfiniteQuery(isExpiringOnly ? expiringKeysQuery : keysQuery);
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
      {isExpiringOnly && (
        <ShownPart to="/keys" all="Show all keys">
          Only keys that expire within 7 days are shown.
        </ShownPart>
      )}
      <div className="parts">
        <Panel flush>
          <Loaded query={list} skeleton={3}>
            {({ pages }) =>
              pages[0]?.keys.length === 0 && isExpiringOnly ? (
                <EmptyState
                  Icon={IconCircleCheck}
                  title="No key expires soon"
                  description="Keys appear here a week before they expire."
                />
              ) : pages[0]?.keys.length === 0 ? (
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
      </div>
      {dialog?.kind === 'create' && <CreateKey onClose={close} />}
      {dialog?.kind === 'rotate' && <RotateKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeKey key={dialog.key.id} apiKey={dialog.key} onClose={close} />}
    </>
  );
}
