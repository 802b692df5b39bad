import type { ReportPeriod, SalesReport } from '../../src/sales/report.ts';
import type { Formats } from '../format/formats.ts';

type Unit = SalesReport['unit'];

const MONDAY = 1;
const toDate = { day: 'Today so far', week: 'Week to date', month: 'Month to date' };

/** Returns the name of a period, such as “Nov 24, 2026”, “Nov 16 – 22, 2026” or “November 2026”. */
export function periodName({ from, to }: { from: string; to: string }, unit: Unit, formats: Formats): string {
  if (unit === 'month') return formats.month(from.slice(0, 7));
  return formats.calendarRange(from, to);
}

/** Returns the label of a period on an axis, such as “Nov 24” or “Nov ’26”. */
export function periodLabel({ from }: ReportPeriod, unit: Unit, formats: Formats): string {
  return unit === 'month' ? formats.shortMonth(from.slice(0, 7)) : formats.shortCalendarDay(from);
}

/** Says which part of a day, week or month a period is; undefined if it is all of it. */
export function partOf(period: ReportPeriod, unit: Unit, formats: Formats): string | undefined {
  if (period.is_running && isFirstDay(period.from, unit)) return toDate[unit];
  return period.is_whole ? undefined : `Only ${formats.calendarRange(period.from, period.to)}`;
}

function isFirstDay(day: string, unit: Unit): boolean {
  if (unit === 'month') return day.endsWith('-01');
  return unit === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY;
}
