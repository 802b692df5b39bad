import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { type MonthlySales, summarizeMonth } from '../../sales/monthly-sales.ts';
import { monthsAround, periodOfDays } from '../../sales/periods.ts';
import { addSums, NO_SALES } from '../../sales/sums.ts';
import type { LastDays } from '../catalog-api.ts';
import { QUARTER_MS, sumSchedulesByQuarter } from './queries.ts';

const DAYS = 30;
/** Summing the days of months with more schedules takes too long for a page. */
const MAX_SCHEDULES = 100_000;

type Figure = Exclude<keyof MonthlySales, 'month'>;

const figures: readonly Figure[] = ['schedules', 'sell_rate', 'asp', 'product_rating', 'total_sales'];

/**
 * Reads the sales of each of the last 30 days in the merchant's time zone, up to now. `months` are its
 * monthly sales. Null without schedules on these days, or if their months have too many to sum in time.
 */
export async function readDays(
  { offLoop, now }: { offLoop: OffLoopReads; now: () => number },
  { id: merchantId, time_zone: timeZone }: Pick<MerchantRow, 'id' | 'time_zone'>,
  months: readonly MonthlySales[],
): Promise<LastDays | null> {
  const time = now();
  const today = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDate();
  const days = Array.from({ length: DAYS }, (_, index) =>
    today.subtract({ days: DAYS - 1 - index }).toString(),
  );
  const starts = days.map((day) => periodOfDays(timeZone, { from: day, to: day }).from);
  const [first = time] = starts;
  const period = { from: first, until: time + 1 };
  const around = monthsAround(period);
  const schedules = months
    .filter(({ month }) => around.includes(month))
    .reduce((sum, each) => sum + each.schedules, 0);
  if (schedules === 0 || schedules > MAX_SCHEDULES) return null;
  const rows = await offLoop.snapshot(merchantId, (reader) =>
    reader.all(sumSchedulesByQuarter, { merchantId, months: around, ...period }),
  );
  if (rows.length === 0) return null;
  const sums = days.map(() => NO_SALES);
  for (const { quarter, ...row } of rows) {
    // No time zone has an offset that is not a multiple of a quarter of an hour.
    const day = Math.max(
      0,
      starts.findLastIndex((start) => start <= quarter * QUARTER_MS),
    );
    sums[day] = addSums(sums[day] ?? NO_SALES, row);
  }
  const summaries = sums.map((sum) => (sum.schedules === 0 ? null : summarizeMonth({ month: '', ...sum })));
  const valuesOf = (figure: Figure): (number | null)[] =>
    summaries.map((summary) => (summary === null && isSum(figure) ? 0 : (summary?.[figure] ?? null)));
  return {
    first: days[0] ?? '',
    figures: Object.fromEntries(figures.map((figure) => [figure, valuesOf(figure)])) as LastDays['figures'],
  };
}

/** Whether a figure is 0 on a day without schedules; others have no value then. */
function isSum(figure: Figure): boolean {
  return figure === 'schedules' || figure === 'total_sales';
}
