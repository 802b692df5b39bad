import type { Database } from '../../database/database.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { orderStatuses } from '../../orders/record/order.ts';
import { listOrderCounts } from '../../orders/record/queries.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { MOST_DUE, type OrderCounts } from '../order-api.ts';
import { countDue } from './queries.ts';

/** Counts a merchant's orders by status, and those that have to be shipped soon. */
export async function countOrders(
  { database, now }: { database: Pick<Database, 'all' | 'first'>; now: () => number },
  { id: merchantId, time_zone: timeZone }: Pick<MerchantRow, 'id' | 'time_zone'>,
): Promise<OrderCounts> {
  const time = now();
  const today = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
  const dayEnd = today.startOfDay().add({ days: 1 }).epochMilliseconds;
  const limit = MOST_DUE;
  const [rows, overdue, dueToday] = await Promise.all([
    database.all(listOrderCounts, { merchantId }),
    database.first(countDue, { merchantId, from: 0, before: time, limit }),
    database.first(countDue, { merchantId, from: time, before: dayEnd, limit }),
  ]);
  return {
    ...totals(new Map(rows.map(({ status, orders }) => [status, orders]))),
    overdue: overdue?.orders ?? 0,
    due_today: dueToday?.orders ?? 0,
    day_ends_at: formatTime(dayEnd),
  };
}

export function totals(counts: ReadonlyMap<string, number>): Pick<OrderCounts, 'all' | 'by_status'> {
  const entries = orderStatuses.map((status) => [status, counts.get(status) ?? 0] as const);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  return { all, by_status: Object.fromEntries(entries) as OrderCounts['by_status'] };
}
