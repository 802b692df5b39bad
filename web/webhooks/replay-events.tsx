import { NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Replayed } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { refresh } from '../server/query-client.ts';
import { DialogForm } from '../ui/dialog-form.tsx';

const HOUR_MS = 60 * 60 * 1000;
const periods = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

interface Props {
  replay: (events: { since: string; only_failed: boolean }) => Promise<Replayed>;
  onClose: () => void;
}

/** Resends the events of a period: all, or only those that failed. */
export function ReplayEvents({ replay: send, onClose }: Props) {
  const { count } = useFormats();
  const [hours, setHours] = useState('24');
  const [which, setWhich] = useState('failed');
  const replay = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      return send({ since, only_failed: which === 'failed' });
    },
    onSuccess: ({ events }) => {
      notifications.show({ message: `Resending ${count(events, 'event')}.` });
      void refresh('webhooks');
      onClose();
    },
  });
  return (
    <DialogForm
      title="Resend events"
      text={<p>Events keep their IDs, so software can skip the events that it has already processed.</p>}
      action="Resend"
      mutation={replay}
      onSubmit={() => replay.mutate()}
      onClose={onClose}
    >
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
          { value: 'failed', label: 'Undelivered events' },
          { value: 'all', label: 'All events' },
        ]}
        value={which}
        onChange={(event) => setWhich(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
