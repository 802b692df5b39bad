import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewToken, RotateKeyForm } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { recentToken } from '../session/session.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { expiryTime, overlapOptions } from './expiry.ts';
import { NewTokenPanel } from './new-token.tsx';
import type { Key } from './queries.ts';

/** Replaces the token of a key. The old token keeps working for the chosen time. */
export function RotateKey({ apiKey: key, onClose }: { apiKey: Key; onClose: () => void }) {
  const [oldTokenExpires, setOldTokenExpires] = useState('24h');
  const rotation = useMutation({
    mutationFn: () => {
      const body: RotateKeyForm = { old_token_until: expiryTime(overlapOptions, oldTokenExpires) };
      return post<NewToken>(`keys/${key.id}/rotate`, body);
    },
    onSuccess: ({ access_token: token }) => {
      recentToken.set(token);
      void refresh('keys', 'audit', 'overview');
    },
  });
  const token = rotation.data?.access_token;
  return (
    <DialogForm
      title={token === undefined ? `Rotate “${key.name}”` : 'Your new token'}
      size="lg"
      text={
        <p>
          You get a new token. The old one, <span className="mono">{key.token}</span>, keeps working for the
          time you choose.
        </p>
      }
      action="Rotate key"
      mutation={rotation}
      onSubmit={() => rotation.mutate()}
      onClose={onClose}
      result={token && <NewTokenPanel token={token} onDone={onClose} />}
    >
      <NativeSelect
        label="Old token expires"
        data={overlapOptions.map(({ value, label }) => ({ value, label }))}
        value={oldTokenExpires}
        onChange={(event) => setOldTokenExpires(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
