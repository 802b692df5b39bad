import type { FastifyInstance } from 'fastify';
import { lookUp } from '../../database/look-up.ts';
import { testSideOf } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { sendPrivateRecord } from '../../http/responses/send-private.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import { revealCustomers } from '../../orders/customer/reveal-customers.ts';
import type { Order } from '../../orders/record/order.ts';
import { NO_CUSTOMER, orderRecord } from '../../orders/record/order-record.ts';
import { orderSuccess } from '../../orders/record/order-schema.ts';
import { findOrdersByExternalIds } from '../../orders/record/queries.ts';
import { showOrders } from '../../orders/record/show-orders.ts';
import { orderOf } from '../../orders/record/stored-order.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { ordersTag } from '../tags.ts';
import { orderInPath, retrieveParameters } from './order-parameters.ts';

/** The calls that show one order. */
export function orderReadEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { customers: CustomerVault },
): void {
  const { database, customers } = services;

  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/orders/{order}',
    pathParameters: orderInPath,
    name: 'retrieveOrder',
    tag: ordersTag,
    summary: 'Retrieve an order',
    description:
      'Returns the order with its customer’s data, unless `hide_customer` is true, or a person calls with a session: what ' +
      'people see is in the audit log, so they call `reveal`.',
    scope: 'orders',
    parameters: retrieveParameters,
    statuses: [200, 304, 404],
    success: orderSuccess('The order.'),
    handle: async ({
      request,
      reply,
      caller,
      path,
      input: { test = false, hide_customer: hides = false },
    }) => {
      const { id } = await requireMerchant(database, path);
      const merchantId = test ? testSideOf(id) : id;
      const order = await find(merchantId, path.order);
      const [record] = await showOrders(
        services,
        { merchantId, seesCustomers: caller.key !== undefined && !hides },
        [order],
      );
      await sendPrivateRecord(request, reply, JSON.stringify(record));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/orders/{order}/reveal',
    pathParameters: orderInPath,
    name: 'revealCustomer',
    tag: ordersTag,
    summary: 'Show the customer’s data of an order to a person',
    description: 'Returns the order with its customer’s data. The merchant’s audit log says who has seen it.',
    scope: 'orders',
    parameters: {},
    statuses: [200, 404],
    success: orderSuccess('The order.'),
    handle: async ({ request, reply, caller: { who }, path }) => {
      const { id: merchantId } = await requireMerchant(database, path);
      const order = await find(merchantId, path.order);
      const context = { merchantId, who, customers };
      const [revealed] = await runVerb(services, context, revealCustomers, { orderIds: [order.order_id] });
      const record = orderRecord(order, revealed ?? NO_CUSTOMER);
      await sendPrivateRecord(request, reply, JSON.stringify(record));
    },
  });

  /** @throws {DomainError} `order_not_found` */
  async function find(merchantId: number, externalId: string): Promise<Order> {
    const [row] = await lookUp(database, findOrdersByExternalIds, merchantId, [externalId]);
    if (row === undefined) throw errors.order_not_found(externalId);
    return orderOf(row);
  }
}
