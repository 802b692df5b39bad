import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, NewWebhookSecret } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** Rotates the secret of a webhook, and shows the new one. */
export function RotateSecret({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const rotation = useMutation({
    mutationFn: () => post<NewWebhookSecret>(`webhooks/${webhook.id}/secret`),
    onSuccess: () => void refresh('audit'),
  });
  const secret = rotation.data?.secret;
  return (
    <DialogForm
      title={secret === undefined ? 'Rotate secret?' : 'Your new secret'}
      size="lg"
      text={<p>For 24 hours, messages are signed with both the new and the previous secret.</p>}
      action="Rotate secret"
      focusCancel
      mutation={rotation}
      onSubmit={() => rotation.mutate()}
      onClose={onClose}
      result={secret && <SecretPanel secret={secret} onDone={onClose} />}
    />
  );
}
