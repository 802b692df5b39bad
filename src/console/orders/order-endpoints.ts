import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { int32, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import { revealCustomers } from '../../orders/customer/reveal-customers.ts';
import { orderIds } from '../../orders/order-parameters.ts';
import { MAX_ORDER_ID, orderStatuses } from '../../orders/record/order.ts';
import { requireOrder } from '../../orders/record/require-order.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { isAtLeast } from '../../users/role.ts';
import type {
  OrderCounts,
  OrderSearchPart,
  OrderTimeline,
  OverdueOrders,
  RevealedCustomers,
} from '../order-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { countOrders } from './count-orders.ts';
import { type DuePlace, listOverdueOrders, readPlace } from './list-overdue.ts';
import { orderTimeline } from './order-timeline.ts';
import { searchOrders } from './search-orders.ts';

const MAX_QUERY_LENGTH = 200;
const DEFAULT_FOUND = 50;
const MAX_FOUND = 250;
const ORDER_ID = /^[1-9]\d{0,9}$/;

const duePlace: ParameterType<DuePlace> = {
  expected: '`next` of an earlier response',
  schema: { type: 'string' },
  read: ({ text }) => readPlace(text),
};

interface OrderServices {
  database: Database;
  offLoop: OffLoopReads;
  customers: CustomerVault;
  now: () => number;
}

/** Registers what the API's calls for orders do not return. */
export function consoleOrderEndpoints(app: FastifyInstance, services: OrderServices): void {
  const { database, customers, now } = services;
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/orders/counts',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchant } }) =>
      RenderedJson.of<OrderCounts>(await countOrders({ database, now }, merchant)),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/orders/overdue',
    parameters: { before: { type: duePlace }, limit: { type: int32(1, MAX_FOUND) } },
    statuses: [200],
    handle: async ({ caller: { merchantId }, input: { before: after, limit = DEFAULT_FOUND } }) =>
      RenderedJson.of<OverdueOrders>(await listOverdueOrders(services, merchantId, { after, limit })),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/orders/search',
    parameters: {
      query: { type: text(MAX_QUERY_LENGTH), required: true },
      status: { type: oneOf(orderStatuses) },
      before: { type: int32(1, MAX_ORDER_ID) },
      limit: { type: int32(1, MAX_FOUND) },
    },
    statuses: [200],
    handle: async ({ caller, input: { query, status, before, limit = DEFAULT_FOUND } }) => {
      const { merchantId, user } = caller;
      // As in `reveal`: viewers do not see customers.
      const byName = isAtLeast(user.role, 'editor');
      const search = { merchantId, text: query, byName, status, before, limit };
      return RenderedJson.of<OrderSearchPart>(await searchOrders(services, search));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/orders/{id}/timeline',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller: { merchantId }, path: { id } }) => {
      if (!ORDER_ID.test(id)) throw errors.order_not_found(id);
      return RenderedJson.of<OrderTimeline>(
        orderTimeline(await requireOrder(database, merchantId, Number(id))),
      );
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/orders/reveal',
    parameters: { order_ids: { type: orderIds, required: true } },
    statuses: [200],
    handle: async ({ caller: { merchantId, user }, input: { order_ids: ids } }) => {
      const caller = { merchantId, who: merchantUser(user), customers };
      const revealed = await runVerb({ database, now }, caller, revealCustomers, { orderIds: ids });
      return RenderedJson.of<RevealedCustomers>({ customers: revealed });
    },
  });
}
