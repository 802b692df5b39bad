import type { Random } from '../../../src/demo/random.ts';
import type { StreamSummary } from '../../../src/operator/streams/stream-schema.ts';
import type { OrderBatchResult } from '../../../src/orders/change/change-batch.ts';
import type { ClientResponse } from '../../support/client.ts';
import { anyText, LINES, PRODUCTS, type Shop, type Writer } from './shop.ts';

/** Writers choose among the newest orders: older ones are closed. */
const RECENT = 40;
/** How many more than the newest order a push may go. */
const AHEAD = 5;
const FEES = { buyer_fee: 30, shipping_fee: 5 };
const STATUSES = ['unpaid', 'paid', 'paid', 'paid', 'pending_verification'] as const;

type Action = [action: string, parameters: Record<string, unknown>];

/** For an order ID, or the end of an external ID: both are counted from 1. */
function anyNumber({ random, orders }: Shop, ahead = 0): number {
  const newest = orders.keys.length;
  return random.whole(Math.max(1, newest - RECENT), Math.max(1, newest + ahead));
}

const anyPackage = (random: Random): string => `box-${random.whole(1, 2)}`;
const anyRefund = (random: Random): string => `refund-${random.whole(1, 3)}`;

/** What was sold follows from the number, because it cannot change. */
function pushedOrder(shop: Shop, number: number): Record<string, unknown> {
  const { random } = shop;
  const product_identifier = `P-${number % PRODUCTS}`;
  return {
    product_identifier,
    variation_identifier: `${product_identifier}-V`,
    product_quantity: 2,
    ...(random.chance(0.7) && { customer_name: anyText(shop), address1: anyText(shop), city: 'Graz' }),
    ...(random.chance(0.7) && { status: random.pick(STATUSES) }),
    ...(random.chance(0.5) && { fulfillment_due_date: '2030-01-01T00:00:00Z' }),
    available_refunds: FEES,
    stock: random.pick(['none', 'reserve']),
  };
}

/** Lines of a stream or a file. Those of products that do not exist yet are rejected. */
export function orderLines(shop: Shop): string {
  const lines = Array.from({ length: LINES }, () => {
    const number = anyNumber(shop, AHEAD);
    return JSON.stringify({ external_id: `O-${number}`, ...pushedOrder(shop, number) });
  });
  return `${lines.join('\n')}\n`;
}

/** What a merchant does with an order. */
function anyAction(shop: Shop): Action {
  const { random } = shop;
  const reason = random.pick(['out_of_stock', 'other']);
  const shipment = { carrier: 'UPS', tracking_number: String(random.whole(1, 1e9)) };
  const partial = { type: 'partial', fees: ['shipping_fee'], refund_id: anyRefund(random) };
  return random.pick<Action>([
    ['acknowledge', { merchant_order_id: anyText(shop).slice(0, 20) }],
    ['annotate', { annotation: random.chance(0.8) ? anyText(shop) : null }],
    ['fulfill', { ...shipment, package_id: anyPackage(random), quantity: 1 }],
    ['fulfill', { ...shipment, package_id: anyPackage(random), quantity: 1 }],
    ['unfulfill', { package_id: anyPackage(random) }],
    ['refund', { reason, restock: random.chance(0.5), ...(random.chance(0.5) ? partial : { type: 'full' }) }],
    ['cancel', { reason }],
  ]);
}

/** A call, or a batch of calls. */
export const callOrders: Writer = async (shop) => {
  const { random, cluster, token } = shop;
  if (random.chance(0.7)) {
    const [action, parameters] = anyAction(shop);
    const json = { ...parameters, order_id: anyNumber(shop), access_token: token };
    return (await cluster.send('POST', `/v1/orders/${action}`, { json }))?.status === 200;
  }
  const json = Array.from({ length: LINES }, () => {
    const [action, parameters] = anyAction(shop);
    return { order_id: anyNumber(shop), action, ...parameters };
  });
  const response = await cluster.send('POST', `/v1/orders/batch?access_token=${token}`, { json });
  return response?.status === 200 && response.json<OrderBatchResult>().updated > 0;
};

/** As the console's pages call the API. */
export const useOrderPages: Writer = async (shop) => {
  const [action, parameters] = anyAction(shop);
  const json = { ...parameters, order_id: anyNumber(shop) };
  const response = await shop.console
    .request('POST', `/v1/orders/${action}`, { json })
    .catch(() => undefined);
  return response?.status === 200;
};

/** Pushes orders, and reports what becomes of them. */
export const operateOrders: Writer = async (shop) => {
  const { random, cluster, operatorToken, externalId } = shop;
  const orders = `/operator/v1/merchants/${externalId}/orders`;
  const headers = { authorization: `Bearer ${operatorToken}` };
  const order = `${orders}/O-${anyNumber(shop)}`;
  const put = (path: string, json: object) => cluster.send('PUT', path, { json, headers });
  const failed = { state: 'failed', failure: anyText(shop) };
  const response = await random.pick<() => Promise<ClientResponse | undefined>>([
    () =>
      cluster.send('POST', orders, {
        body: orderLines(shop),
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
      }),
    () => {
      const number = anyNumber(shop, AHEAD);
      return put(`${orders}/O-${number}`, pushedOrder(shop, number));
    },
    () => put(`${order}/state`, { state: 'held', reason: anyText(shop) }),
    () => put(`${order}/state`, { state: 'released' }),
    () => put(`${order}/state`, { state: 'canceled', reason: 'other' }),
    () => put(`${order}/packages/${anyPackage(random)}`, { state: random.pick(['accepted', 'delivered']) }),
    () => put(`${order}/refunds/${anyRefund(random)}`, random.chance(0.5) ? { state: 'settled' } : failed),
    () => cluster.send('POST', `${order}/redact`, { headers }),
  ])();
  if (response?.status === 201) return true;
  if (response?.status !== 200) return false;
  const { created = 1, updated = 0 } = response.json<Partial<StreamSummary>>();
  return created + updated > 0;
};
