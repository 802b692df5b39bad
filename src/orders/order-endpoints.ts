import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { MerchantCaller } from '../http/endpoint/merchant-authentication.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendPrivateRecord } from '../http/responses/send-private.ts';
import { fieldsEndpoint } from '../products/retrieve/fields-endpoint.ts';
import type { CustomerVault } from './customer/customer-vault.ts';
import { orderFieldDescriptions } from './describe-order-fields.ts';
import type { OrderLister } from './list/list-orders.ts';
import { orderId } from './order-parameters.ts';
import { orderSuccess, ordersTag } from './record/order-schema.ts';
import { requireOrder } from './record/require-order.ts';
import { type OrderViewer, showOrders } from './record/show-orders.ts';

export interface OrderServices extends EndpointServices {
  database: Database;
  customers: CustomerVault;
  offLoop: OffLoopReads;
  orderLister: OrderLister;
}

/** The calls that read orders (contract for orders, “Calls”). */
export function orderEndpoints(app: FastifyInstance, services: OrderServices): void {
  const { database } = services;
  fieldsEndpoint(app, services, { records: 'orders', tag: ordersTag, fields: orderFieldDescriptions });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/orders/retrieve.json',
    name: 'retrieveOrder',
    tag: ordersTag,
    summary: 'Retrieve an order',
    description: 'Returns the merchant’s order with the given `order_id`.',
    scope: 'orders',
    parameters: { order_id: { ...orderId, required: true } },
    statuses: [200, 304, 404],
    success: orderSuccess('The order.'),
    handle: async ({ request, reply, caller, input: { order_id: id } }) => {
      const order = await requireOrder(database, caller.merchantId, id);
      const [record] = await showOrders(services, viewerOf(caller), [order]);
      await sendPrivateRecord(request, reply, JSON.stringify(record));
    },
  });
}

/** A user of the console reveals customers one by one, which the audit log shows. */
export function viewerOf({ merchantId, key }: MerchantCaller): OrderViewer {
  return { merchantId, seesCustomers: key?.scopes.includes('customers') ?? false };
}
