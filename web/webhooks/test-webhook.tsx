import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, LastAttempt } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { AttemptResult } from './attempt-result.tsx';
import styles from './webhooks.module.css';

/** Sends an example, and shows how the receiver responded. */
export function TestWebhook({ webhook, onClose }: { webhook: ConsoleWebhook; onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => request<LastAttempt>(`webhooks/${webhook.id}/test`, { method: 'POST', body: {} }),
  });
  return (
    <Dialog onClose={onClose} title="Send a test event">
      <div className={styles.form}>
        <p>
          Sends an event of the type <span className="mono">webhook.test</span> to {webhook.url} once.
        </p>
        <FormError error={error} />
        <div aria-live="polite">{data !== undefined && <AttemptResult attempt={data} />}</div>
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={isPending} onClick={() => mutate()} data-autofocus>
            {data === undefined ? 'Send' : 'Send again'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
