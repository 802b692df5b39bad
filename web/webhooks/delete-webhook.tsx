import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConsoleWebhook } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './webhooks.module.css';

export function DeleteWebhook({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<ConsoleWebhook>(`webhooks/${webhook.id}`, { method: 'DELETE' }),
    onSuccess: async () => {
      notifications.show({ message: 'Webhook deleted.' });
      onClose();
      await navigate({ to: '/webhooks', search: {} });
      void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  return (
    <Dialog onClose={onClose} title="Delete this webhook?">
      <div className={styles.form}>
        <p>Nothing more is sent to {webhook.url}. This can’t be undone.</p>
        <FormError error={error} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            Delete webhook
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
