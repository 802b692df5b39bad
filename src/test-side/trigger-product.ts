import { randomUUIDv7 } from 'node:crypto';
import { generatePurchase } from '../demo/generate-orders.ts';
import { Random } from '../demo/random.ts';
import { errors } from '../errors/errors.ts';
import { pushOrder } from '../orders/push/push-order.ts';
import { moderateProduct, productIssues } from '../products/moderation/moderate-product.ts';
import type { Product } from '../products/record/product.ts';
import { writeSchedules } from '../sales/import-schedules.ts';
import { acceptedBy } from './accepted.ts';
import { productFor } from './find-product.ts';
import type { Made, TriggerContext, TriggerInput } from './triggered.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a product without a price, in the currency's major unit. */
const DEFAULT_PRICE = 20;
const DEFAULT_DAYS = 2;
const reason = { code: 'test', field: null, message: 'Triggered with POST test/trigger.' };

type Input = Pick<TriggerInput, 'product_identifier' | 'state'>;

/** Adds a schedule that sold now, as the operator would. */
export async function sell(context: TriggerContext, input: Input): Promise<Made> {
  const product = await productFor(context, input.product_identifier);
  const { identifier: product_identifier } = product;
  const variation_identifier = variationFor(product);
  const schedule_id = newId();
  const sale_price = Math.round(priceOf(product) * 100);
  const schedule = { merchant: null, schedule_id, product_identifier, variation_identifier };
  const result = { scheduled_at: context.now, sold: true, sale_price, rating: null };
  acceptedBy(await writeSchedules(context, context.merchant, [{ ...schedule, ...result }]));
  return { product_identifier, variation_identifier, schedule_id, amount: sale_price / 100 };
}

/**
 * Moderates a product, as the operator would: `problematic`, or `ok` if it is not `ok` so far, unless the
 * caller chooses.
 */
export async function moderate(context: TriggerContext, input: Input): Promise<Made> {
  const { connection, merchantId } = context;
  const { identifier } = await productFor(context, input.product_identifier);
  const before = await productIssues(connection, { merchantId, identifier });
  const state = input.state ?? (before?.state === 'ok' ? 'problematic' : 'ok');
  if (state === before?.state) {
    const expected = `the product ${identifier} is ${state} already; expected another state`;
    throw errors.invalid_parameters([{ field: 'state', reason: expected }]);
  }
  await moderateProduct(context, { identifier, state, reasons: state === 'ok' ? [] : [reason] });
  return { product_identifier: identifier, state };
}

/** Adds a paid order of one unit, as the operator would. The key of its customer must be prepared. */
export async function order(context: TriggerContext, input: Input): Promise<Made> {
  const { now } = context;
  const product = await productFor(context, input.product_identifier);
  const prices = { ...product, buy_now_price: priceOf(product) };
  const { order: created } = await pushOrder(context, {
    ...generatePurchase(prices, 1, new Random(now)),
    merchant: null,
    external_id: newId(),
    status: 'paid',
    product_identifier: product.identifier,
    variation_identifier: variationFor(product),
    product_quantity: 1,
    created_at: now,
    paid_at: now,
    fulfillment_due_date: now + (product.days_to_fulfill ?? DEFAULT_DAYS) * DAY_MS,
  });
  const { order_id, product_identifier, variation_identifier } = created;
  return { order_id, product_identifier, variation_identifier };
}

function newId(): string {
  return `trigger-${randomUUIDv7()}`;
}

function priceOf({ buy_now_price, minimum_bid_amount }: Product): number {
  return buy_now_price ?? minimum_bid_amount ?? DEFAULT_PRICE;
}

/** Returns a variation that is for sale, if possible; null if the product has none. */
function variationFor({ variations }: Product): string | null {
  const existing = variations.filter(({ deleted_at }) => deleted_at === null);
  const enabled = existing.filter(({ disabled_at }) => disabled_at === null);
  const inStock = enabled.find(({ quantity }) => (quantity ?? 0) > 0);
  return (inStock ?? enabled[0] ?? existing[0])?.identifier ?? null;
}
