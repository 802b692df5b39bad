import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, LastAttempt } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { AttemptResult } from './attempt-result.tsx';

/** Sends an example, and shows how the receiver responded. */
export function TestWebhook({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const test = useMutation({ mutationFn: () => post<LastAttempt>(`webhooks/${webhook.id}/test`) });
  return (
    <DialogForm
      title="Send a test event"
      text={
        <p>
          Sends an event of the type <span className="mono">webhook.test</span> to {webhook.url} once.
        </p>
      }
      action={test.data === undefined ? 'Send' : 'Send again'}
      button={{ 'data-autofocus': true }}
      cancel="Close"
      mutation={test}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <div aria-live="polite">{test.data !== undefined && <AttemptResult attempt={test.data} />}</div>
    </DialogForm>
  );
}
