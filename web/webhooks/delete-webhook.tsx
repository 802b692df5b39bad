import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConsoleWebhook } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';

export function DeleteWebhook({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => request<ConsoleWebhook>(`webhooks/${webhook.id}`, { method: 'DELETE' }),
    onSuccess: async () => {
      notifications.show({ message: 'Webhook deleted.' });
      onClose();
      await navigate({ to: '/webhooks', search: {} });
      void refresh('webhooks', 'audit', 'overview');
    },
  });
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      text={<p>Nothing more is sent to {webhook.url}. This can’t be undone.</p>}
      action="Delete webhook"
      mutation={deletion}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  );
}
