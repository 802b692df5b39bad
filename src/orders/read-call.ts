import { errors } from '../errors/errors.ts';
import { resolveCarrier } from './carriers.ts';
import type { OrderAction, OrderCall } from './change/change-orders.ts';
import type { ListedValues } from './listed-values.ts';
import type { Sent } from './order-parameters.ts';
import type { RefundType } from './record/order.ts';

/**
 * Returns the change that a call's parameters ask for.
 * @throws {DomainError} `invalid_parameters` for a carrier or a reason that the lists do not have
 */
export function readCall<Action extends OrderAction>(
  listed: ListedValues,
  order_id: number,
  action: Action,
  sent: Sent<Action>,
): OrderCall {
  // Each branch has the parameters of its action.
  switch (action) {
    case 'fulfill': {
      const { carrier, carrier_name, ...input } = sent as Sent<'fulfill'>;
      return {
        order_id,
        action,
        input: { ...input, carrier: resolveCarrier(listed.carriers, { carrier, carrier_name }) },
      };
    }
    case 'refund': {
      const { type, ...input } = sent as Sent<'refund'>;
      requireReason(listed, input.reason);
      return { order_id, action, input: { ...input, type: type as RefundType } };
    }
    case 'cancel': {
      const input = sent as Sent<'cancel'>;
      requireReason(listed, input.reason);
      return { order_id, action, input };
    }
    case 'annotate': {
      const { annotation } = sent as Sent<'annotate'>;
      if (annotation === undefined) {
        const reason = 'missing, expected text or null';
        throw errors.invalid_parameters([{ field: 'annotation', reason }]);
      }
      return { order_id, action, input: { annotation } };
    }
    case 'unfulfill':
      return { order_id, action, input: sent as Sent<'unfulfill'> };
    default:
      return { order_id, action: 'acknowledge', input: sent as Sent<'acknowledge'> };
  }
}

function requireReason({ refundReasons }: ListedValues, reason: string): void {
  if (refundReasons.includes(reason)) return;
  const expected = `expected one of ${refundReasons.join(', ')}`;
  throw errors.invalid_parameters([{ field: 'reason', value: reason, reason: expected }]);
}
