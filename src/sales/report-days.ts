import type { Comparison, DayRange, Unit } from './report.ts';

/** How far a range is moved into the past. */
export type Shift = { days: number } | { months: number };

/** Splits a range where units begin, oldest first. The first and the last part may be shorter than a unit. */
export function* periodsOf({ from, to }: DayRange, unit: Unit): Generator<DayRange> {
  for (let first = from; first <= to; ) {
    const next = nextStart(first, unit);
    const last = dayAfter(next, -1);
    yield { from: first, to: last < to ? last : to };
    first = next;
  }
}

/** Whether a range is a whole day, week or month. */
export function isWhole({ from, to }: DayRange, unit: Unit): boolean {
  const { day, dayOfWeek } = Temporal.PlainDate.from(from);
  const isStart = unit === 'day' || (unit === 'week' ? dayOfWeek === 1 : day === 1);
  return isStart && dayAfter(to, 1) === nextStart(from, unit);
}

/** Returns how far before a range the compared one is. */
export function shiftOf({ from, to }: DayRange, comparison: Comparison): Shift {
  if (comparison === 'last_year') return { months: 12 };
  if (comparison === 'previous_months') return { months: monthsIn({ from, to }) };
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days;
  return { days: days + 1 };
}

/**
 * Returns the days that a range, or a part of it, is compared with; null if there are none, such as for
 * March 30. Whole months are compared with whole months, unless the last one is in progress. Other days are
 * compared with as many at most, also across the end of a longer month.
 */
export function shifted({ from, to }: DayRange, shift: Shift, today: string): DayRange | null {
  if ('days' in shift) return { from: dayAfter(from, -shift.days), to: dayAfter(to, -shift.days) };
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const [sameFirst, sameLast] = [first.subtract(shift), last.subtract(shift)];
  const start = sameFirst.day === first.day ? sameFirst : sameFirst.add({ days: 1 });
  const isMonths = first.day === 1 && last.day === last.daysInMonth && to !== today;
  const longest = start.add(first.until(last, { largestUnit: 'day' }));
  const isLonger = first.day !== 1 && Temporal.PlainDate.compare(sameLast, longest) > 0;
  const end = isMonths ? sameLast.with({ day: sameLast.daysInMonth }) : isLonger ? longest : sameLast;
  return Temporal.PlainDate.compare(start, end) > 0 ? null : { from: start.toString(), to: end.toString() };
}

/** Returns the number of months that a range touches. */
export function monthsIn({ from, to }: DayRange): number {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  return 12 * (last.year - first.year) + last.month - first.month + 1;
}

export function isMonthEnd(day: string): boolean {
  return dayAfter(day, 1).endsWith('-01');
}

/** Returns the day so many days after another. */
function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the first day of the unit after the one that has this day. */
function nextStart(day: string, unit: Unit): string {
  const date = Temporal.PlainDate.from(day);
  if (unit === 'month') return date.with({ day: 1 }).add({ months: 1 }).toString();
  return date.add({ days: unit === 'day' ? 1 : 8 - date.dayOfWeek }).toString();
}
