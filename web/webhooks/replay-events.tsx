import { Button, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleWebhook, Replayed } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './webhooks.module.css';

const HOUR_MS = 60 * 60 * 1000;
const periods = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

/** Resends the events of a period: all, or only those that failed. */
export function ReplayEvents({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const [hours, setHours] = useState('24');
  const [which, setWhich] = useState('failed');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      const body = { since, only_failed: which === 'failed' };
      return request<Replayed>(`webhooks/${webhook.id}/replay`, { method: 'POST', body });
    },
    onSuccess: ({ events }) => {
      notifications.show({
        message: events === 1 ? 'Resending 1 event.' : `Resending ${events} events.`,
      });
      void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Resend events">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <p>Events keep their IDs, so your software can skip the events that it has already processed.</p>
        <FormError error={error} />
        <NativeSelect
          label="Period"
          data={periods}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data-autofocus
        />
        <NativeSelect
          label="Events"
          data={[
            { value: 'failed', label: 'Failed only' },
            { value: 'all', label: 'All events' },
          ]}
          value={which}
          onChange={(event) => setWhich(event.currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Resend
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
