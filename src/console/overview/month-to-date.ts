import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { type MonthlySales, summarizeMonth } from '../../sales/monthly-sales.ts';
import { sumSchedulesOfMonth } from '../../sales/queries.ts';

const DAY_MS = 86_400_000;
/** Summing part of a month with more schedules takes too long for a page. */
const MAX_SCHEDULES = 50_000;

/** Both as `YYYY-MM`. */
export function previousMonth(month: string): string {
  return firstDay(month, -1).toISOString().slice(0, 7);
}

/**
 * The month's sales up to the current day and time of the month, an hour off if clocks have changed since.
 * Null if there were no schedules, or too many to sum in time.
 */
export async function monthToDate(
  { offLoop, now }: { offLoop: OffLoopReads; now: () => number },
  merchantId: number,
  { months, month, thisMonth }: { months: MonthlySales[]; month: string; thisMonth: string },
): Promise<MonthlySales | null> {
  const schedules = months.reduce((sum, each) => sum + each.schedules, 0);
  if (schedules > MAX_SCHEDULES || !months.some((each) => each.month === month)) return null;
  const days = (firstDay(thisMonth, 0).getTime() - firstDay(month, 0).getTime()) / DAY_MS;
  const period = { from: Number.MIN_SAFE_INTEGER, until: now() - days * DAY_MS };
  const sums = await offLoop.snapshot(merchantId, (reader) =>
    reader.first(sumSchedulesOfMonth, { merchantId, month, ...period }),
  );
  return sums === undefined || sums.schedules === 0 ? null : summarizeMonth({ month, ...sums });
}

/** The first day of the month `offset` months after `month`. */
function firstDay(month: string, offset: number): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new Date(0);
  first.setUTCFullYear(year, number - 1 + offset, 1);
  return first;
}
