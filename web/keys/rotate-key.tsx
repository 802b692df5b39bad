import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewToken, RotateKeyForm } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { recentToken } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { expiryTime, overlapOptions } from './expiry.ts';
import styles from './keys.module.css';
import { NewTokenPanel } from './new-token.tsx';
import type { Key } from './queries.ts';

/** Replaces the token of a key. The old token keeps working for the chosen time. */
export function RotateKey({ apiKey: key, onClose }: { apiKey: Key; onClose: () => void }) {
  const [oldTokenExpires, setOldTokenExpires] = useState('24h');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      const option = overlapOptions.find(({ value }) => value === oldTokenExpires);
      const body: RotateKeyForm = { old_token_until: expiryTime(option) };
      return request<NewToken>(`keys/${key.id}/rotate`, { method: 'POST', body });
    },
    onSuccess: ({ access_token: token }) => {
      recentToken.set(token);
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={data === undefined ? `Rotate “${key.name}”` : 'Your new token'}
      size="lg"
      closeOnClickOutside={data === undefined}
    >
      {data !== undefined ? (
        <NewTokenPanel token={data.access_token} onDone={onClose} />
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
        >
          <p>
            You get a new token. The old one, <span className="mono">{key.token}</span>, keeps working for the
            time you choose.
          </p>
          <FormError error={error} />
          <NativeSelect
            label="Old token expires"
            data={overlapOptions.map(({ value, label }) => ({ value, label }))}
            value={oldTokenExpires}
            onChange={(event) => setOldTokenExpires(event.currentTarget.value)}
            data-autofocus
          />
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Rotate key
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
