import type { EventData, EventType, OrderEventData, RefundEventData } from '../../events/event-types.ts';
import { orNull } from '../../http/schema.ts';
import { type OrderStatus, orderStatuses, packageStates, type Refund } from '../../orders/record/order.ts';
import { changedSince, type EventDescription, fields } from './event-description.ts';

type OrderEventType = Extract<EventType, `${'order' | 'package' | 'refund'}.${string}` | 'orders.changed'>;

const orderFields = {
  order_id: { type: 'integer', description: 'The ID of the order for `GET orders/retrieve`.' },
  external_id: { type: 'string', description: 'The operator’s ID of the order.' },
  status: { type: 'string', enum: orderStatuses, description: 'The status after the event.' },
} as const;
const exampleOrderEvent = { order_id: 4711, external_id: 'MP-2026-000981' };

function ofOrder(
  summary: string,
  description: string,
  status: OrderStatus = 'paid',
): EventDescription<OrderEventData> {
  const example = { ...exampleOrderEvent, status };
  return { summary, description, data: fields<OrderEventData>(orderFields), example, revision: null };
}

const refundEventData = fields<RefundEventData>({
  ...orderFields,
  refund_id: { type: 'string', description: 'Identifies the refund.' },
  state: {
    type: 'string',
    enum: ['requested', 'settled', 'failed'],
    description: 'The state of the refund after the event.',
  },
});

function ofRefund(
  summary: string,
  description: string,
  state: Refund['state'],
): EventDescription<RefundEventData> {
  const example = { ...exampleOrderEvent, status: 'refunded', refund_id: 'refund-1', state };
  return { summary, description, data: refundEventData, example, revision: null };
}

/** Of orders, their packages and their refunds. */
export const orderEventDescriptions: {
  readonly [Type in OrderEventType]: EventDescription<EventData[Type]>;
} = {
  'order.created': ofOrder('An order came in', 'The marketplace operator added an order.'),
  'order.held': {
    summary: 'An order is on hold',
    description: 'The order must not be shipped until it is released.',
    data: fields<EventData['order.held']>({
      ...orderFields,
      hold_reason: {
        ...orNull({ type: 'string', enum: ['oversold'] }),
        description:
          '`oversold` if the stock had too few units; null for a reason in words of the operator, which the order has.',
      },
    }),
    example: { ...exampleOrderEvent, status: 'pending_verification', hold_reason: 'oversold' },
    revision: null,
  },
  'order.released': ofOrder('An order was released', 'The order is no longer on hold.'),
  'order.canceled': ofOrder('An order was canceled', 'The merchant or the operator canceled it.', 'canceled'),
  'order.acknowledged': ofOrder('An order was acknowledged', 'The merchant’s software has the order.'),
  'order.fulfilled': ofOrder(
    'A package was shipped',
    'The merchant added a package or corrected one. The status is `shipped` once the packages have all units.',
    'shipped',
  ),
  'order.overdue': ofOrder('An order is overdue', 'Its due date has passed, and it has not shipped.'),
  'package.updated': {
    summary: 'A package changed',
    description: 'The carrier scanned the package, or the merchant removed it.',
    data: fields<EventData['package.updated']>({
      ...orderFields,
      package_id: { type: 'string', description: 'Identifies the package in the order.' },
      state: {
        type: 'string',
        enum: [...packageStates, 'removed'],
        description: 'The state of the package after the event.',
      },
    }),
    example: {
      ...exampleOrderEvent,
      status: 'shipped',
      package_id: 'ups:1Z999AA10123456784',
      state: 'delivered',
    },
    revision: null,
  },
  'refund.requested': ofRefund('A refund was requested', 'The operator settles it.', 'requested'),
  'refund.settled': ofRefund('A refund was settled', 'The customer has the money.', 'settled'),
  'refund.failed': ofRefund(
    'A refund failed',
    'What it would have returned can be refunded again.',
    'failed',
  ),
  'orders.changed': {
    summary: 'Orders changed',
    description:
      'Orders were added or changed. One event covers many changes, as `catalog.changed` does. Read the changes with ' +
      '`GET orders?changed_since=`.',
    data: changedSince('orders'),
    example: { changed_since: 'ZVJ3cFF4aThbMSwiY2hhbmdlZCBvcmRlcnMiLDE3NjM4NTAwMDAwMDAsMTc2Mzg1MF0' },
    revision: null,
  },
};
