import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { errors } from '../errors/errors.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { dayIn } from '../merchants/time-zone.ts';
import { listSalesMonths } from './queries.ts';
import {
  type Comparison,
  type DayRange,
  MAX_MONTHS,
  type ReportPeriod,
  type SalesOfDays,
  type SalesReport,
  type Unit,
} from './report.ts';
import { isMonthEnd, isWhole, periodsOf, type Shift, shifted, shiftOf } from './report-days.ts';
import { addSums, NO_SALES, summarizeDays } from './sums.ts';
import { SumsOfDays } from './sums-of-days.ts';

/** The most days or weeks of a report. */
const MAX_PERIODS = 110;

interface ReportRequest {
  /** Undefined for the first month with schedules. */
  from: string | undefined;
  /** A day after today is replaced by today. */
  to: string;
  unit: Unit;
  comparison: Comparison | undefined;
}

/**
 * Reports the sales of a range of days in the merchant's time zone, compared with other days. What is
 * compared with today ends at the present time of the day. Whole months come from the monthly sums, other
 * days are added up off the event loop: the cost depends on the number of their schedules.
 * @throws {DomainError} `invalid_parameters` for a range with too many periods
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function salesReport(
  { offLoop, now }: { offLoop: OffLoopReads; now: () => number },
  { id: merchantId, time_zone: timeZone }: Pick<MerchantRow, 'id' | 'time_zone'>,
  { from, to, unit, comparison }: ReportRequest,
): Promise<SalesReport> {
  const time = now();
  const today = dayIn(timeZone)(time);
  return await offLoop.snapshot(merchantId, async (reader) => {
    const months = await reader.all(listSalesMonths, { merchantId });
    const firstMonth = months[0]?.month ?? null;
    const range = rangeOf({ from, to: to < today ? to : today }, firstMonth);
    const parts = partsOf(range, unit);
    const sums = new SumsOfDays(reader, merchantId, { timeZone, time }, months);
    const shift = comparison && shiftOf(range, comparison);
    const compare = (of: DayRange): Promise<SalesOfDays | null> => compareWith(sums, of, { shift, today });
    const compared = await compare(range);
    const isFirst = firstMonth === null || (compared !== null && compared.to.slice(0, 7) < firstMonth);
    const periods: ReportPeriod[] = [];
    let total = NO_SALES;
    for (const part of parts) {
      const sum = await sums.sum(part);
      total = addSums(total, sum);
      periods.push({
        ...part,
        sales: summarizeDays(sum),
        is_whole: isWhole(part, unit),
        is_running: part.to === today,
        compared: isFirst ? null : await compare(part),
      });
    }
    return {
      ...range,
      unit,
      sales: summarizeDays(total),
      compared: isFirst ? null : compared,
      periods,
      first_month: firstMonth,
    };
  });
}

/** Begins a range without a beginning with the first month with schedules. */
function rangeOf(
  { from, to }: { from: string | undefined; to: string },
  firstMonth: string | null,
): DayRange {
  const oldest = Temporal.PlainDate.from(to)
    .with({ day: 1 })
    .subtract({ months: MAX_MONTHS - 1 });
  const first = firstMonth === null ? to : `${firstMonth}-01`;
  const start = from ?? (first < oldest.toString() ? oldest.toString() : first);
  return { from: start, to: to < start ? start : to };
}

/** @throws {DomainError} `invalid_parameters` */
function partsOf(range: DayRange, unit: Unit): DayRange[] {
  const max = unit === 'month' ? MAX_MONTHS : MAX_PERIODS;
  const parts: DayRange[] = [];
  for (const part of periodsOf(range, unit)) {
    parts.push(part);
    if (parts.length <= max) continue;
    throw errors.invalid_parameters([
      { field: 'to', reason: `expected at most ${max} ${unit}s from the first day` },
    ]);
  }
  return parts;
}

async function compareWith(
  sums: SumsOfDays,
  range: DayRange,
  { shift, today }: { shift: Shift | undefined; today: string },
): Promise<SalesOfDays | null> {
  const days = shift === undefined ? null : shifted(range, shift, today);
  if (shift === undefined || days === null) return null;
  // All of February 28 is before the present time of March 31, as on the overview.
  const isShorterMonth = 'months' in shift && isMonthEnd(days.to) && days.to.slice(-2) < today.slice(-2);
  const isCut = range.to === today && !isShorterMonth;
  return { ...days, sales: summarizeDays(await sums.sum(days, isCut)) };
}
