import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { DEFAULT_LIMIT, pageParameters } from '../../http/parameters/page.ts';
import { boolean, instant, oneOf, text } from '../../http/parameters/types.ts';
import { sendPrivateRecord } from '../../http/responses/send-private.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import {
  listOrdersOfAllMerchants,
  searchOrdersOfAllMerchants,
} from '../../orders/of-all/list-orders-of-all-merchants.ts';
import { orderStatuses } from '../../orders/record/order.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { externalId } from '../merchants/merchant-parameters.ts';
import { readPageOfAll } from '../merchants/read-page-of-all.ts';
import { sideOf } from '../merchants/side-of-merchant.ts';
import { ordersTag } from '../tags.ts';
import { listedOrder, type MerchantOrderPage, orderPage } from './order-list-schema.ts';

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
      ...pageParameters('orders'),
    },
    statuses: [200, 304],
    success: orderPage,
    handle: async ({ request, reply, input }) => {
      const { query, status, since, after, limit = DEFAULT_LIMIT } = input;
      const { side, merchantId } = await sideOf(database, input);
      const filter = { side, merchantId, status, since, limit };
      const page: MerchantOrderPage = await readPageOfAll(
        database,
        { items: 'orders', side, selected: [merchantId, status, since], query, after },
        {
          newest: (place) => listOrdersOfAllMerchants(services, filter, place),
          search: (text, place) => searchOrdersOfAllMerchants(services, { ...filter, query: text }, place),
        },
        (owner, { order }) => listedOrder(owner, order),
      );
      await sendPrivateRecord(request, reply, JSON.stringify(page));
    },
  });
}
