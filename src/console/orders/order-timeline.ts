import type { HistoryEntry, Order } from '../../orders/record/order.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { OrderTimeline, TimelineEntry } from '../order-api.ts';

type What = TimelineEntry['what'];
type Happened = Omit<TimelineEntry, 'at'> & { at: number };

const ofHistory: Record<HistoryEntry['type'], What> = {
  'package.updated': 'package',
  'order.held': 'held',
  'order.released': 'released',
  'refund.settled': 'refund_settled',
  'refund.failed': 'refund_failed',
};

/** What happened to an order, oldest first; at the same time, in the usual order. */
export function orderTimeline(order: Order): OrderTimeline {
  const entries: Happened[] = [
    ...happened('created', order.created_at),
    ...happened('paid', order.paid_at),
    ...happened('acknowledged', order.acknowledged_at),
    ...order.packages.flatMap((each) => happened('shipped', each.shipped_at, each.package_id)),
    ...happened('canceled', order.canceled_at),
    ...order.refunds.flatMap((each) => happened('refund_requested', each.requested_at, each.refund_id)),
    ...order.history.map(({ at, type, id, detail }) => ({ at, what: ofHistory[type], id, detail })),
    ...happened('erased', order.redacted_at),
  ];
  const sorted = entries.sort((one, other) => one.at - other.at);
  return { entries: sorted.map((entry) => ({ ...entry, at: formatTime(entry.at) })) };
}

function happened(what: What, at: number | null, id: string | null = null): Happened[] {
  return at === null ? [] : [{ at, what, id, detail: null }];
}
