import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendPrivateRecord } from '../../http/responses/send-private.ts';
import { DEFAULT_CHANGES, historyPage } from '../../products/history/history-parameters.ts';
import { orderId } from '../order-parameters.ts';
import { ordersTag } from '../record/order-schema.ts';
import { orderHistorySuccess } from './history-schema.ts';
import { listOrderHistory } from './list-history.ts';

/** `GET /orders/history.json`. */
export function orderHistoryEndpoint(
  app: FastifyInstance,
  services: EndpointServices & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/orders/history.json',
    name: 'listOrderHistory',
    tag: ordersTag,
    summary: 'List the changes of an order',
    description:
      'Lists what changed in an order, newest first: status, packages, refunds, amounts and times with their values ' +
      'before and after, when, who did it, and by which call or import. The last entry is the creation of the order. ' +
      'Nothing that can name the customer is recorded: no name, address, note or reason, no tracking number, and no ID ' +
      'that somebody chose. Entries are deleted after a time that the marketplace’s operator sets, usually 90 days.',
    scope: 'orders',
    parameters: { order_id: { ...orderId, required: true }, ...historyPage },
    statuses: [200, 304, 404],
    success: orderHistorySuccess,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { order_id: id, per_page: perPage = DEFAULT_CHANGES, after } = input;
      const list = await listOrderHistory(services.database, { merchantId, orderId: id }, { perPage, after });
      await sendPrivateRecord(request, reply, JSON.stringify(list));
    },
  });
}
