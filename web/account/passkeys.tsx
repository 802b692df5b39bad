import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PasskeyList, PasskeySummary } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';
import { AddPasskey } from './add-passkey.tsx';
import { RenamePasskey } from './rename-passkey.tsx';

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => request<PasskeyList>('passkeys', { signal }),
});

function keepList(list: PasskeyList): void {
  queryClient.setQueryData(passkeysQuery.queryKey, list);
}

type OpenDialog = 'add' | { kind: 'rename' | 'remove'; passkey: PasskeySummary };

/** The user's passkeys, with buttons to add, rename and remove them. */
export function Passkeys() {
  const list = useQuery(passkeysQuery);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  return (
    <Panel anchor="passkeys" title="Passkeys">
      <div className={styles.form}>
        <p className="muted">
          Sign in with your fingerprint, your face, or the PIN of your device. A passkey replaces your
          password and second factor.
        </p>
        <Loaded query={list} skeleton={1}>
          {({ passkeys }) =>
            passkeys.length > 0 && (
              <ul className={styles.sessions}>
                {passkeys.map((passkey) => (
                  <Passkey
                    key={passkey.id}
                    passkey={passkey}
                    onAction={(kind) => setDialog({ kind, passkey })}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setDialog('add')}>
            Add a passkey
          </Button>
        </div>
      </div>
      {dialog === 'add' && <AddPasskey onClose={close} onAdded={() => void list.refetch()} />}
      {typeof dialog === 'object' && dialog.kind === 'rename' && (
        <RenamePasskey passkey={dialog.passkey} onClose={close} onRenamed={keepList} />
      )}
      {typeof dialog === 'object' && dialog.kind === 'remove' && (
        <RemovePasskey passkey={dialog.passkey} onClose={close} />
      )}
    </Panel>
  );
}

interface PasskeyProps {
  passkey: PasskeySummary;
  onAction: (kind: 'rename' | 'remove') => void;
}

function Passkey({ passkey: { name, host, created_at, last_used_at }, onAction }: PasskeyProps) {
  const { time, ago } = useFormats();
  const used = last_used_at === null ? 'not used yet' : `last used ${ago(last_used_at)}`;
  return (
    <li className={styles.session}>
      <span className={styles.browser}>
        <span>{name}</span>
        <span className="muted small">
          Added {time(created_at)}, {used}
          {host !== location.hostname && `, works only at ${host}`}
        </span>
      </span>
      <span className={styles.buttons}>
        <Button variant="default" size="compact-sm" onClick={() => onAction('rename')}>
          Rename<span className="visually-hidden"> {name}</span>
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => onAction('remove')}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      </span>
    </li>
  );
}

interface RemoveProps {
  passkey: PasskeySummary;
  onClose: () => void;
}

function RemovePasskey({ passkey: { id, name }, onClose }: RemoveProps) {
  const removal = useMutation({
    mutationFn: () => request<PasskeyList>(`passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: (list) => {
      keepList(list);
      notifications.show({ message: 'Passkey removed.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Remove the passkey?"
      text={
        <p>
          “{name}” no longer signs you in, and the other sessions that it began end. Remove it from your
          device or password manager, too.
        </p>
      }
      action="Remove"
      mutation={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
