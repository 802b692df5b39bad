import { type Budgets, endOfDay } from '../budgets/budgets.ts';
import { findBudgetLeft, recordBudgetUse, takeFromBudget } from '../budgets/daily-budget.ts';
import type { Connection, Reader } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { releaseWebhook } from './delivery-queries.ts';
import { setWaiting, type WebhookRow } from './queries.ts';

/** Each side of a merchant has its own. The operator's attempts are not limited. */
export const ATTEMPT_BUDGET = 'webhook_attempts_per_day';

type OwnedWebhook = Pick<WebhookRow, 'merchant_id'>;

const budgetOf = ({ merchant_id }: OwnedWebhook) =>
  ({ merchantId: merchant_id, budget: ATTEMPT_BUDGET }) as const;

export async function findAttemptsLeft(
  reader: Pick<Reader, 'first'>,
  budgets: Budgets,
  webhook: OwnedWebhook,
  now: number,
): Promise<number> {
  if (webhook.merchant_id === OPERATOR_ID) return Number.POSITIVE_INFINITY;
  return await findBudgetLeft(reader, budgets, budgetOf(webhook), now);
}

/** Call it in the transaction that stores the attempts. */
export async function countAttempts(
  connection: Connection,
  webhook: OwnedWebhook,
  amount: number,
  now: number,
): Promise<void> {
  if (amount === 0 || webhook.merchant_id === OPERATOR_ID) return;
  const { merchantId, budget } = budgetOf(webhook);
  await recordBudgetUse({ connection, merchantId, now }, { budget, amount });
}

/** Takes one attempt in advance. @throws {BudgetExceeded} if no attempt is left */
export async function takeDeliveryAttempt(
  context: WriteContext,
  { budgets }: { budgets: Budgets },
): Promise<void> {
  const { merchantId, budget } = budgetOf({ merchant_id: context.merchantId });
  await takeFromBudget({ ...context, merchantId }, budgets, { budget });
}

/** The webhook waits until the budget is renewed, without a lease. Its deliveries remain due. */
export async function waitForBudget(
  connection: Connection,
  { holder, sender }: Pick<DeliveryParts, 'holder' | 'sender'>,
  { id }: Pick<WebhookRow, 'id'>,
): Promise<void> {
  await connection.run(setWaiting, { id, until: endOfDay(sender.now()) });
  await connection.run(releaseWebhook, { id, holder });
}
