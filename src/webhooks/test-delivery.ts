import { randomBytes } from 'node:crypto';
import type { Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type VerbCaller, type WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { formatTime } from '../shared/timestamps.ts';
import { takeDeliveryAttempt } from './attempt-budget.ts';
import { receiverOf } from './deliver-to-webhook.ts';
import type { LastAttempt } from './list-deliveries.ts';
import { recordTest } from './manage-webhooks.ts';
import type { WebhookRow } from './queries.ts';
import { type Sender, sendMessage } from './send-message.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** The feed never has it. */
const TEST_EVENT = 'webhook.test';

interface TestDeliveryParts {
  database: Database;
  now: () => number;
  budgets: Budgets;
  sender: Sender;
  secrets: WebhookSecrets;
  overloadControl: { runOutside<T>(work: () => Promise<T>): Promise<T> };
}

/** Sends examples to webhooks: for one side of a merchant, each process sends one at a time. */
export class TestDeliveries {
  readonly #parts: TestDeliveryParts;
  readonly #testing = new Set<number>();

  constructor(parts: TestDeliveryParts) {
    this.#parts = parts;
  }

  /**
   * Sends an example at once, even if the webhook is disabled, and resolves to the receiver's response. It
   * takes an attempt of a merchant's budget. If the operator sends it, the merchant's audit log says so.
   * @throws {DomainError} `test_delivery_in_progress`
   * @throws {BudgetExceeded}
   * @throws errors of `WebhookSecrets.decrypt`
   */
  async send({ who }: Pick<VerbCaller, 'who'>, webhook: WebhookRow): Promise<LastAttempt> {
    const { overloadControl, budgets } = this.#parts;
    // The receiver may need seconds. Others are served meanwhile.
    const deliver = (): Promise<LastAttempt> =>
      overloadControl.runOutside(() => testDelivery(this.#parts, webhook));
    const { merchant_id: merchantId } = webhook;
    if (merchantId === OPERATOR_ID) return await deliver();
    if (this.#testing.has(merchantId)) throw errors.test_delivery_in_progress();
    this.#testing.add(merchantId);
    try {
      const options = { usesLiveSide: true };
      await runVerb(this.#parts, { merchantId, who, budgets }, takeTest, webhook, options);
      return await deliver();
    } finally {
      this.#testing.delete(merchantId);
    }
  }
}

async function takeTest(context: WriteContext & { budgets: Budgets }, webhook: WebhookRow): Promise<void> {
  await takeDeliveryAttempt(context, context);
  await recordTest(context, webhook);
}

/**
 * Sends an example at once, even if the webhook is disabled, and resolves to the receiver's response.
 * @throws errors of `WebhookSecrets.decrypt`
 */
export async function testDelivery(
  { sender, secrets }: Pick<TestDeliveryParts, 'sender' | 'secrets'>,
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
