import { randomBytes } from 'node:crypto';
import { formatTime } from '../shared/timestamps.ts';
import { receiverOf } from './deliver-to-endpoint.ts';
import type { EndpointSecrets } from './endpoint-secrets.ts';
import type { LastAttempt } from './list-deliveries.ts';
import type { EndpointRow } from './queries.ts';
import { type Sender, sendMessage } from './send-message.ts';

/** The type of the event in a test delivery. The feed never has it. */
export const TEST_EVENT = 'endpoint.test';

/**
 * Sends an example to an endpoint at once, whether it is enabled or not, and resolves to what its receiver
 * responded.
 * @throws errors of `EndpointSecrets.decrypt`
 */
export async function testDelivery(
  { sender, secrets }: { sender: Sender; secrets: EndpointSecrets },
  endpoint: EndpointRow,
): Promise<LastAttempt> {
  const now = sender.now();
  const id = `evt_test_${randomBytes(12).toString('hex')}`;
  const data = { id: endpoint.id, message: 'This is a test delivery.' };
  const body = JSON.stringify({
    id,
    type: TEST_EVENT,
    occurred_at: formatTime(now),
    merchant: null,
    test: true,
    revision: null,
    data,
  });
  const receiver = receiverOf(endpoint, await secrets.decrypt(endpoint, now));
  const { at, durationMs, status, error, response } = await sendMessage(sender, receiver, { id, body });
  return { at: formatTime(at), duration_ms: durationMs, status, error, response };
}
