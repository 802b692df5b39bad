import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewToken, RotateKeyForm } from '../../src/console/console-api.ts';
import { Dialog } from '../feedback/dialog.tsx';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import { endOf, overlapChoices } from './end-times.ts';
import { keepToken } from './kept-token.ts';
import styles from './keys.module.css';
import { NewTokenShown } from './new-token-shown.tsx';
import type { Key } from './queries.ts';

/** Gives a key a new token, with time to bring it to the program that uses it. */
export function RotateKey({ of: key, onClose }: { of: Key; onClose: () => void }) {
  const [ends, setEnds] = useState('24h');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      const choice = overlapChoices.find(({ value }) => value === ends);
      const body: RotateKeyForm = { old_token_until: endOf(choice) };
      return request<NewToken>(`keys/${key.id}/rotate`, { method: 'POST', body });
    },
    onSuccess: ({ access_token: token }) => {
      keepToken(token);
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={data === undefined ? `Rotate “${key.name}”` : 'The new token'}
      size="lg"
      closeOnClickOutside={data === undefined}
    >
      {data !== undefined ? (
        <NewTokenShown token={data.access_token} onDone={onClose} />
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
        >
          <p>
            You get a new token. The old one, <span className="mono">{key.token}</span>, goes on for as long
            as you need to bring the new one to the program.
          </p>
          <FormProblem error={error} />
          <NativeSelect
            label="When the old token ends"
            data={overlapChoices.map(({ value, label }) => ({ value, label }))}
            value={ends}
            onChange={(event) => setEnds(event.currentTarget.value)}
            data-autofocus
          />
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Make a new token
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
