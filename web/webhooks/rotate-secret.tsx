import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, NewWebhookSecret } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { SecretPanel } from './secret-panel.tsx';
import styles from './webhooks.module.css';

/** Rotates the secret of a webhook, and shows the new one. */
export function RotateSecret({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      request<NewWebhookSecret>(`webhooks/${webhook.id}/secret`, { method: 'POST', body: {} }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['audit'] }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={data === undefined ? 'Rotate secret?' : 'Your new secret'}
      size="lg"
      closeOnClickOutside={data === undefined}
    >
      {data !== undefined ? (
        <SecretPanel secret={data.secret} onDone={onClose} />
      ) : (
        <div className={styles.form}>
          <p>For 24 hours, messages are signed with both the new and the previous secret.</p>
          <FormError error={error} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => mutate()}>
              Rotate secret
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
