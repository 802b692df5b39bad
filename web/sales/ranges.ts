import type { Comparison, DayRange, Unit } from '../../src/sales/report.ts';
import { addDays, rangeOf } from '../format/day-ranges.ts';
import type { SalesSearch } from './search.ts';

/** The choices of a range in the URL; '' for the range that a URL without it shows. */
export const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'this_month', label: 'This month' },
  { value: 'last_month', label: 'Last month' },
  { value: '', label: 'Last 12 months' },
  { value: '24_months', label: 'Last 24 months' },
  { value: 'all', label: 'All time' },
];

/** What the page shows. Without `from`, all days up to `to`. */
export interface ShownRange {
  /** One of `ranges`, or `custom` for the days of the URL. */
  choice: string;
  from: string | undefined;
  to: string;
  unit: Unit;
  /** The units that do not divide the range in too many parts. */
  units: Unit[];
  /** Undefined for none. */
  comparison: Comparison | undefined;
}

/** Days up to this length are shown by day, and up to this length by week. */
const [DAYS_BY_DAY, DAYS_BY_WEEK] = [45, 200];
/** More parts are too narrow to tell apart. */
const MAX_PARTS = 100;
/** Choices that are compared with as many days before, also if they begin with a month. */
const COUNTED_IN_DAYS: ReadonlySet<string> = new Set(['7', '30', '90']);
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the range and the unit of a URL. `today` is in the merchant's time zone. */
export function shownRange({ range, from, to, by, compare }: SalesSearch, today: string): ShownRange {
  const isCustom = from !== undefined && to !== undefined;
  const choice = isCustom ? 'custom' : (ranges.find(({ value }) => value === range)?.value ?? '');
  const days = isCustom ? { from, to } : daysOfChoice(choice, today);
  const length = days.from === undefined ? Number.POSITIVE_INFINITY : lengthOf(days.from, days.to);
  const units = (['day', 'week', 'month'] as const).filter(
    (unit) => unit === 'month' || length <= MAX_PARTS * (unit === 'day' ? 1 : 7),
  );
  const usual = length <= DAYS_BY_DAY ? 'day' : length <= DAYS_BY_WEEK ? 'week' : 'month';
  const isOfMonths = isCustom ? beginsMonth({ from, to }, today) : !COUNTED_IN_DAYS.has(choice);
  const previous = isOfMonths ? 'previous_months' : 'previous_days';
  const comparison = compare === 'none' ? undefined : compare === 'last_year' ? compare : previous;
  return { choice, ...days, unit: units.find((unit) => unit === by) ?? usual, units, comparison };
}

/** Whether days are whole months, of which the last one may be in progress. */
function beginsMonth({ from, to }: DayRange, today: string): boolean {
  return from.endsWith('-01') && (to === today || addDays(to, 1).endsWith('-01'));
}

function daysOfChoice(choice: string, today: string): { from: string | undefined; to: string } {
  if (choice === 'all') return { from: undefined, to: today };
  if (choice === '' || choice === '24_months')
    return { from: monthsBefore(today, choice === '' ? 11 : 23), to: today };
  return rangeOf(choice, today);
}

/** Returns the days between the ends of a range, both included. */
function lengthOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Returns the first day of the month so many months before a day's. */
function monthsBefore(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - months);
  return first.toISOString().slice(0, 10);
}

/** Returns a range with another first or last day, which moves the other one if it has to. */
export function changeRange({ from, to }: DayRange, changed: Partial<DayRange>): DayRange {
  const range = { from, to, ...changed };
  if (range.from <= range.to) return range;
  return changed.from === undefined ? { from: range.to, to: range.to } : { from: range.from, to: range.from };
}

/** Returns the range that a custom one begins with: the shown one, or the last 30 days of all. */
export function customRange({ from, to }: ShownRange): DayRange {
  return { from: from ?? addDays(to, -29), to };
}
