import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { Order } from '../record/order.ts';
import type { OrderDraft } from './order-draft.ts';
import { PushBatch, type PushServices } from './push-batch.ts';

/**
 * Creates an order, or changes the one with the same external ID. Repeating it changes nothing. The
 * transaction must have locked the merchant.
 * @throws {DomainError} `invalid_parameters`
 */
export async function pushOrder(
  context: WriteContext & PushServices,
  draft: OrderDraft,
): Promise<{ order: Order; isNew: boolean }> {
  const batch = await PushBatch.open(context, [draft]);
  const outcome = batch.apply(draft);
  if (outcome.kind === 'rejected') throw errors.invalid_parameters(outcome.problems);
  await batch.write();
  const order = batch.order(draft.external_id);
  if (order === undefined) throw new Error(`the order ${draft.external_id} is gone`);
  return { order, isNew: outcome.kind === 'created' };
}
