import type { NewEvent } from '../../events/record-event.ts';
import type { HistoryEntry, Order } from './order.ts';

const MAX_ENTRIES = 100;

/**
 * Returns the history of an order after events whose times no field of the order has. The oldest entries of
 * a long history are left out.
 */
export function extendHistory(order: Order, events: readonly NewEvent[], at: number): HistoryEntry[] {
  const added = events.flatMap((event) => {
    const entry = entryOf(order, event);
    return entry === undefined ? [] : [{ at, ...entry }];
  });
  return [...order.history, ...added].slice(-MAX_ENTRIES);
}

function entryOf({ hold_reason }: Order, event: NewEvent): Omit<HistoryEntry, 'at'> | undefined {
  switch (event.type) {
    case 'package.updated':
      return { type: event.type, id: event.data.package_id, detail: event.data.state };
    case 'refund.settled':
    case 'refund.failed':
      return { type: event.type, id: event.data.refund_id, detail: null };
    case 'order.held':
      return { type: event.type, id: null, detail: hold_reason };
    case 'order.released':
      return { type: event.type, id: null, detail: null };
    default:
      return undefined;
  }
}
