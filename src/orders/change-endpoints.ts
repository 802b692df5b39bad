import type { FastifyInstance } from 'fastify';
import type { PathParameters } from '../http/endpoint/bind-path.ts';
import { registerWrite, type WriteCall, type WriteServices } from '../http/endpoint/register-write.ts';
import type { BoundParameters, ParameterDefinitions } from '../http/parameters/bind.ts';
import { sendPrivateRecord } from '../http/responses/send-private.ts';
import type { GroupedCalls } from '../requests/grouped-calls.ts';
import { alone } from '../requests/run-once.ts';
import type { OrderAction } from './change/change-orders.ts';
import type { GroupedOrderCall } from './change/grouped-order-calls.ts';
import type { ListedValuesReader } from './listed-values.ts';
import { hiddenLogger } from './log-hidden.ts';
import { type OrderServices, viewerOf } from './order-endpoints.ts';
import { changeParameters, orderId } from './order-parameters.ts';
import { readCall } from './read-call.ts';
import type { OrderRecord } from './record/order-record.ts';
import { orderSuccess, ordersTag } from './record/order-schema.ts';
import { completeRecord } from './record/show-orders.ts';

export interface OrderWriteServices extends WriteServices, OrderServices {
  lowInventory: number;
  orderCalls: GroupedCalls<GroupedOrderCall>;
  listedValues: ListedValuesReader;
}

const texts: Record<OrderAction, { name: string; summary: string; description: string }> = {
  acknowledge: {
    name: 'acknowledgeOrder',
    summary: 'Acknowledge an order',
    description: 'Says that the merchant’s software has the order. Repeating it changes nothing.',
  },
  annotate: {
    name: 'annotateOrder',
    summary: 'Annotate an order',
    description: 'Sets the merchant’s own note. The last one stays.',
  },
  fulfill: {
    name: 'fulfillOrder',
    summary: 'Ship a package of an order',
    description:
      'Adds a package. Once the packages have all units, the order is `shipped`. The same package again changes nothing. ' +
      'Until the carrier has scanned a package, another call with its `package_id` corrects it.',
  },
  unfulfill: {
    name: 'unfulfillOrder',
    summary: 'Remove a package of an order',
    description: 'Removes a package that no carrier has scanned yet. The order can then be shipped again.',
  },
  refund: {
    name: 'refundOrder',
    summary: 'Refund an order',
    description:
      'Requests a refund, which the operator settles. A full refund of an order that has one already changes nothing.',
  },
  cancel: {
    name: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Refunds an order of which nothing has shipped, and cancels it. Repeating it changes nothing.',
  },
};

const actions = Object.keys(texts) as OrderAction[];

/** The calls with which merchants ship, refund and annotate orders (contract for orders, “Calls”). */
export function orderChangeEndpoints(app: FastifyInstance, services: OrderWriteServices): void {
  const { inProgress, listedValues, orderCalls } = services;
  const handle = async <Definitions extends ParameterDefinitions, Path extends PathParameters>(
    { request, reply, caller, keyed }: WriteCall<Definitions, Path>,
    { action, id, sent }: { action: OrderAction; id: number; sent: object },
  ): Promise<void> => {
    const input = sent as BoundParameters<(typeof changeParameters)[typeof action]>;
    const call = readCall(await listedValues.read(), id, action, input);
    const { merchantId, who, key } = caller;
    const made = { call, who, isAudited: key === undefined, keyed };
    const response = await alone(inProgress, keyed, () => orderCalls.run(merchantId, made));
    const record: OrderRecord = JSON.parse(response);
    const completed = await completeRecord(services, viewerOf(caller), record, hiddenLogger(request));
    await sendPrivateRecord(request, reply, JSON.stringify(completed));
  };
  for (const action of actions) {
    const declared = {
      ...texts[action],
      tag: ordersTag,
      scope: 'fulfillment' as const,
      statuses: [200, 404, 409],
      success: orderSuccess('The order after the call.'),
      locksMerchant: true,
    };
    const parameters: ParameterDefinitions = changeParameters[action];
    registerWrite(app, services, {
      ...declared,
      path: `/orders/${action}.json`,
      parameters: { order_id: { ...orderId, required: true as const }, ...parameters },
      handle: (call) => {
        const { order_id: id, ...sent } = call.input;
        return handle(call, { action, id: Number(id), sent });
      },
    });
    if (action !== 'fulfill') continue;
    registerWrite(app, services, {
      ...declared,
      path: '/orders/{order_id}/fulfill.json',
      name: 'fulfillOrderInPath',
      description: `${declared.description} As \`orders/fulfill\`, with the order in the path.`,
      pathParameters: { order_id: orderId },
      parameters,
      handle: (call) => handle(call, { action, id: call.path.order_id, sent: call.input }),
    });
  }
}
