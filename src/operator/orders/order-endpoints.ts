import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runVerb, type Verb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { sendPrivateRecord } from '../../http/responses/send-private.ts';
import { reportPackage, reportRefund, setState } from '../../orders/change/change-as-operator.ts';
import type { OrderState } from '../../orders/change/set-order-state.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import { redactOrder } from '../../orders/customer/redact.ts';
import { hiddenLogger } from '../../orders/log-hidden.ts';
import { hasCustomer, type OrderDraft } from '../../orders/push/order-draft.ts';
import { pushOrder } from '../../orders/push/push-order.ts';
import type { Order, PackageState } from '../../orders/record/order.ts';
import { orderRecord } from '../../orders/record/order-record.ts';
import { orderSuccess } from '../../orders/record/order-schema.ts';
import { completeRecord } from '../../orders/record/show-orders.ts';
import { type OperatorCaller, registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { ordersTag } from '../tags.ts';
import {
  orderInPath,
  packageInPath,
  packageParameters,
  pushParameters,
  refundInPath,
  refundParameters,
  stateParameters,
} from './order-parameters.ts';

interface OperatorOrderServices extends OperatorWriteServices {
  customers: CustomerVault;
  lowInventory: number;
}

interface NamedOrder {
  external_id: string;
  order: string;
}

/** What the operator does to orders (contract for orders, “Operator calls”). */
export function operatorOrderEndpoints(app: FastifyInstance, services: OperatorOrderServices): void {
  const { database, customers, lowInventory } = services;

  /** Runs a verb on an order of a merchant, and returns what the response shows. */
  async function change<Input, Needs>(
    { request, path, caller }: { request: FastifyRequest; path: NamedOrder; caller: OperatorCaller },
    verb: Verb<Input & { external_id: string }, Order, Needs>,
    input: Input,
    needs: Needs,
  ): Promise<string> {
    const { id: merchantId } = await requireMerchant(database, path);
    const context = { merchantId, who: caller.who, ...needs };
    const named = { ...input, external_id: path.order };
    const order = await runVerb(services, context, verb, named, { locksMerchant: true });
    return await shown(request, { merchantId, caller }, order);
  }

  async function shown(
    request: FastifyRequest,
    { merchantId, caller }: { merchantId: number; caller: OperatorCaller },
    order: Order,
  ): Promise<string> {
    // People see customers only by `reveal`, which the audit log has.
    const viewer = { merchantId, seesCustomers: caller.key !== undefined };
    const record = orderRecord(order, undefined);
    return JSON.stringify(await completeRecord(services, viewer, record, hiddenLogger(request)));
  }

  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/orders/{order}',
    pathParameters: orderInPath,
    name: 'putOrder',
    tag: ordersTag,
    summary: 'Create or change an order',
    description:
      'Creates the order, which needs a `product_identifier`, or changes the fields that are sent. Others keep their ' +
      'values. Repeating the request changes nothing.',
    scope: 'orders',
    parameters: pushParameters,
    statuses: [200, 201, 404],
    success: { ...orderSuccess('The order after the call.'), creates: true },
    handle: async ({ request, reply, caller, path, input }) => {
      const { id: merchantId } = await requireMerchant(database, path);
      const draft: OrderDraft = { ...input, merchant: null, external_id: path.order };
      const needs = { merchantId, who: caller.who, customers, lowInventory };
      if (hasCustomer(draft)) await customers.prepare(database, services.now());
      const { order, isNew } = await runVerb(services, needs, pushOrder, draft, { locksMerchant: true });
      await sendPrivateRecord(request, reply, await shown(request, { merchantId, caller }, order), { isNew });
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/orders/{order}/state',
    pathParameters: orderInPath,
    name: 'setOrderState',
    tag: ordersTag,
    summary: 'Hold, release or cancel an order',
    description:
      'A held order is `pending_verification` with a `hold_reason`, until it is released and has its earlier status again. ' +
      'A canceled order is refunded. Repeating the request changes nothing.',
    scope: 'orders',
    parameters: stateParameters,
    statuses: [200, 404],
    success: orderSuccess('The order after the call.'),
    handle: async ({ request, reply, caller, path, input: { state, reason } }) => {
      if (state !== 'released' && reason === undefined) {
        const expected = `missing, expected why the order is ${state}`;
        throw errors.invalid_parameters([{ field: 'reason', reason: expected }]);
      }
      const input = { state: state as OrderState, reason: reason ?? '' };
      await sendPrivateRecord(
        request,
        reply,
        await change({ request, path, caller }, setState, input, { lowInventory }),
      );
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/orders/{order}/packages/{package}',
    pathParameters: packageInPath,
    name: 'setPackageState',
    tag: ordersTag,
    summary: 'Report what a carrier does with a package',
    description: 'From the first report on, the merchant cannot change the package.',
    scope: 'orders',
    parameters: packageParameters,
    statuses: [200, 404],
    success: orderSuccess('The order after the call.'),
    handle: async ({ request, reply, caller, path, input: { state } }) => {
      const input = { package_id: path.package, state: state as PackageState };
      await sendPrivateRecord(
        request,
        reply,
        await change({ request, path, caller }, reportPackage, input, {}),
      );
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/orders/{order}/refunds/{refund}',
    pathParameters: refundInPath,
    name: 'settleRefund',
    tag: ordersTag,
    summary: 'Report what became of a refund',
    description:
      'Says that a requested refund is settled or has failed. What a failed refund would have returned can be refunded ' +
      'again, and after a full refund the order has its earlier status again. If it is to be shipped, it takes its units from ' +
      'the stock again, and is held if there are too few.',
    scope: 'orders',
    parameters: refundParameters,
    statuses: [200, 404],
    success: orderSuccess('The order after the call.'),
    handle: async ({ request, reply, caller, path, input: { state, failure } }) => {
      if (state === 'failed' && failure === undefined) {
        const expected = 'missing, expected why the refund failed';
        throw errors.invalid_parameters([{ field: 'failure', reason: expected }]);
      }
      const settled = state === 'settled' ? ('settled' as const) : ('failed' as const);
      const input = { refund_id: path.refund, state: settled, failure: failure ?? null };
      await sendPrivateRecord(
        request,
        reply,
        await change({ request, path, caller }, reportRefund, input, { lowInventory }),
      );
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/orders/{order}/redact',
    pathParameters: orderInPath,
    name: 'redactOrder',
    tag: ordersTag,
    summary: 'Erase the customer’s data of an order',
    description: 'Erases name, address lines, city and postal code for good. Repeating it changes nothing.',
    scope: 'orders',
    parameters: {},
    statuses: [200, 404],
    success: orderSuccess('The order without its customer’s data.'),
    handle: async ({ request, reply, caller, path }) => {
      await sendPrivateRecord(request, reply, await change({ request, path, caller }, redactOrder, {}, {}));
    },
  });
}
