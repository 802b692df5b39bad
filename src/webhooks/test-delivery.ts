import { randomBytes } from 'node:crypto';
import { formatTime } from '../shared/timestamps.ts';
import { receiverOf } from './deliver-to-webhook.ts';
import type { LastAttempt } from './list-deliveries.ts';
import type { WebhookRow } from './queries.ts';
import { type Sender, sendMessage } from './send-message.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** The feed never has it. */
const TEST_EVENT = 'webhook.test';

/**
 * Sends an example at once, even if the webhook is disabled, and resolves to the receiver's response.
 * @throws errors of `WebhookSecrets.decrypt`
 */
export async function testDelivery(
  { sender, secrets }: { sender: Sender; secrets: WebhookSecrets },
  webhook: WebhookRow,
): Promise<LastAttempt> {
  const now = sender.now();
  const id = `evt_test_${randomBytes(12).toString('hex')}`;
  const data = { id: webhook.id, message: 'This is a test delivery.' };
  const body = JSON.stringify({
    id,
    type: TEST_EVENT,
    occurred_at: formatTime(now),
    merchant: null,
    test: true,
    revision: null,
    data,
  });
  const receiver = receiverOf(webhook, await secrets.decrypt(webhook, now));
  const { at, durationMs, status, error, response } = await sendMessage(sender, receiver, { id, body });
  return { at: formatTime(at), duration_ms: durationMs, status, error, response };
}
