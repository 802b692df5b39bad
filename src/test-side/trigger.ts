import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { Reader } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { idempotent, type WriteResult } from '../requests/run-once.ts';
import { listWebhooksOf } from '../webhooks/queries.ts';
import { exampleEventOf } from './example-events.ts';
import { spendBudget } from './spend-budget.ts';
import { moderate, order, sell } from './trigger-product.ts';
import {
  type Made,
  NOTHING,
  type SharedFacts,
  type TriggerContext,
  type Triggered,
  type TriggerInput,
} from './triggered.ts';

/** Read before the transaction, which is on the node of the test side. */
export async function readSharedFacts(database: Reader, merchantId: number): Promise<SharedFacts> {
  const [merchant, [webhook]] = await Promise.all([
    database.first(findMerchantById, { merchantId }),
    database.all(listWebhooksOf, { merchantId }),
  ]);
  if (merchant === undefined) throw missingMerchant(merchantId);
  return { merchant, webhook: webhook === undefined ? null : { id: webhook.id, url: webhook.url } };
}

/** The events that each parameter is for. */
const uses: Readonly<Record<'product_identifier' | 'state' | 'campaign', (event: string) => boolean>> = {
  product_identifier: (event) =>
    ['sale', 'moderation', 'order', 'product.moderated', 'stock.low'].includes(event),
  state: (event) => event === 'moderation',
  campaign: (event) => event === 'budget_spent' || event.startsWith('campaign.'),
};

/** What the descriptions of the parameters and the errors say. */
export const onlyFor = {
  product_identifier: 'only for sale, moderation, order, product.moderated and stock.low',
  state: 'only for moderation',
  campaign: 'only for budget_spent and events about campaigns',
} as const;

/** Runs `trigger` once for each `Idempotency-Key`. */
export const triggerOnce = idempotent(
  async (context: TriggerContext, input: TriggerInput): Promise<WriteResult> => {
    return { response: JSON.stringify(await trigger(context, input)), isChange: true };
  },
);

/**
 * Makes something happen on a test side, within the merchant's budget. The transaction must have locked the
 * test side.
 * @throws {DomainError} `invalid_parameters`, `product_not_found`, `campaign_not_found`
 * @throws {BudgetExceeded}
 */
async function trigger(context: TriggerContext, input: TriggerInput): Promise<Triggered> {
  const { event } = input;
  const names = ['product_identifier', 'state', 'campaign'] as const;
  const problems = names
    .filter((name) => input[name] !== undefined && !uses[name](event))
    .map((name) => ({ field: name, reason: `${onlyFor[name]}; not for ${event}` }));
  if (problems.length > 0) throw errors.invalid_parameters(problems);
  await takeFromBudget(context, context.budgets, { budget: 'test_triggers_per_day' });
  const made = await make(context, input);
  return {
    event,
    ...NOTHING,
    ...made,
  };
}

async function make(context: TriggerContext, input: TriggerInput): Promise<Made> {
  const { event } = input;
  switch (event) {
    case 'sale':
      return await sell(context, input);
    case 'moderation':
      return await moderate(context, input);
    case 'order':
      return await order(context, input);
    case 'budget_spent':
      return await spendBudget(context, input);
    default:
      return { event_id: recordEvent(context, await exampleEventOf(context, event, input)) };
  }
}
