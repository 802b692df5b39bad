import type { NewEvent } from '../../events/record-event.ts';
import type { HistoryEntry } from './order.ts';

const MAX_ENTRIES = 100;

/** Adds events whose times no field of the order has. The oldest entries of a long history are left out. */
export function extendHistory(
  history: readonly HistoryEntry[],
  events: readonly NewEvent[],
  at: number,
): HistoryEntry[] {
  const added = events.flatMap((event) => {
    const entry = entryOf(event);
    return entry === undefined ? [] : [{ at, ...entry }];
  });
  return [...history, ...added].slice(-MAX_ENTRIES);
}

function entryOf(event: NewEvent): Omit<HistoryEntry, 'at'> | undefined {
  switch (event.type) {
    case 'package.updated':
      return { type: event.type, id: event.data.package_id, detail: event.data.state };
    case 'refund.settled':
    case 'refund.failed':
      return { type: event.type, id: event.data.refund_id, detail: null };
    case 'order.held':
      return { type: event.type, id: null, detail: event.data.hold_reason };
    case 'order.released':
      return { type: event.type, id: null, detail: null };
    default:
      return undefined;
  }
}
