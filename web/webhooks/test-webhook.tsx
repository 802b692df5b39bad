import { useMutation } from '@tanstack/react-query';
import type { LastAttempt } from '../../src/console/console-api.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { AttemptResult } from './attempt-result.tsx';

interface Props {
  url: string;
  send: () => Promise<LastAttempt>;
  onClose: () => void;
}

/** Sends an example, and shows how the receiver responded. */
export function TestWebhook({ url, send, onClose }: Props) {
  const test = useMutation({ mutationFn: send });
  return (
    <DialogForm
      title="Send a test event"
      text={
        <p>
          Sends an event of the type <span className="mono">webhook.test</span> to {url} once.
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
