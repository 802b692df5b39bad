import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { boolean, cursor, instant, int32, oneOf, text } from '../../http/parameters/types.ts';
import { sendPrivateRecord } from '../../http/responses/send-private.ts';
import { MERCHANTS_AT_ONCE } from '../../merchants/queries.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import {
  listOrdersOfAll,
  type OrderFilter,
  type OrderOfMerchant,
  searchOrdersOfAll,
  startOfSearch,
} from '../../orders/of-all/list-orders-of-all.ts';
import { orderStatuses } from '../../orders/record/order.ts';
import { orderRecord } from '../../orders/record/order-record.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { externalId } from '../merchants/merchant-parameters.ts';
import { LAST, readPageOfAll } from '../merchants/read-page-of-all.ts';
import { sideOf } from '../merchants/side-of-merchant.ts';
import { ordersTag } from '../tags.ts';
import { listedOrder, type MerchantOrderPage, orderPage } from './order-list-schema.ts';

const DEFAULT_LIMIT = 50;
const MAX_QUERY_LENGTH = 100;

type Services = OperatorEndpointServices & {
  database: Database;
  offLoop: OffLoopReads;
  customers: CustomerVault;
  now: () => number;
};

/** `GET /orders`: the orders of all merchants. */
export function orderListEndpoint(app: FastifyInstance, services: Services): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/orders',
    name: 'listOrders',
    tag: ordersTag,
    summary: 'List the orders of all merchants',
    description:
      'Lists orders of all merchants, newest first, without anything of their customers. With `query`, finds orders by ' +
      'their ID, and by the beginning of your ID, of the merchant’s own ID, of an SKU or of a tracking number. What is found ' +
      'is in the order of the merchants, and within each merchant the highest ID first; of each merchant, the newest 1,000 ' +
      'orders count. A page of a search may have fewer orders than `limit`, even none, although others follow: ' +
      'continue until `next` is null.',
    scope: 'orders',
    pathParameters: {},
    parameters: {
      query: { type: text(MAX_QUERY_LENGTH), description: 'What to look for.', example: 'VASE-7' },
      merchant: {
        type: externalId,
        description: 'Only orders of the merchant with this ID of the operator’s.',
        example: 'seller-4711',
      },
      status: { type: oneOf(orderStatuses), description: 'Only orders with this status.', example: 'paid' },
      since: { type: instant, description: 'Only orders that were created at this time or later.' },
      test: {
        type: boolean,
        description: 'Whether to list test data instead of live data.',
        default: false,
      },
      after: { type: cursor, description: 'List what follows: the `next` of the page before.' },
      limit: {
        type: int32(1, MERCHANTS_AT_ONCE),
        description: 'The maximum number of orders.',
        default: DEFAULT_LIMIT,
      },
    },
    statuses: [200, 304],
    success: orderPage,
    handle: async ({ request, reply, input }) => {
      const { query, status, since, after, limit = DEFAULT_LIMIT } = input;
      const { side, merchantId } = await sideOf(database, input);
      const selected = [side, merchantId ?? null, status ?? null, since ?? null, query ?? null];
      const page: MerchantOrderPage = await readPageOfAll(
        database,
        { items: 'orders', selected, isSearch: query !== undefined, after },
        (place) => readPage({ side, merchantId, status, since, limit }, query, place),
        (owner, { order }) => listedOrder(owner, orderRecord(order, undefined)),
      );
      await sendPrivateRecord(request, reply, JSON.stringify(page));
    },
  });

  async function readPage(
    filter: OrderFilter,
    query: string | undefined,
    [first, second, third]: readonly number[],
  ): Promise<{ results: OrderOfMerchant[]; next: number[] | undefined }> {
    if (query === undefined) {
      const place = { createdAt: first ?? LAST, merchantId: second ?? LAST, orderId: third ?? LAST };
      const { results, next } = await listOrdersOfAll(services, filter, place);
      return { results, next: next && [next.createdAt, next.merchantId, next.orderId] };
    }
    const start = startOfSearch(filter.side);
    const place = { merchantId: first ?? start.merchantId, id: second ?? start.id };
    const { results, next } = await searchOrdersOfAll(services, { ...filter, query }, place);
    return { results, next: next && [next.merchantId, next.id] };
  }
}
