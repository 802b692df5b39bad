import type { DayRange } from '../../src/sales/report.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The choices of a range in the URL; '' for the range that a URL without it shows. */
export const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'this_month', label: 'This month' },
  { value: 'last_month', label: 'Last month' },
];

/** Returns the days of a choice, of which the last is `today` or before. */
export function rangeOf(choice: string | undefined, today: string): DayRange {
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  if (choice === 'this_month') return { from: firstOfMonth, to: today };
  if (choice === 'last_month') {
    const last = addDays(firstOfMonth, -1);
    return { from: `${last.slice(0, 7)}-01`, to: last };
  }
  const days = choice === '7' || choice === '90' ? Number(choice) : 30;
  return { from: addDays(today, 1 - days), to: today };
}

/** Returns every day of a range, oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the day so many days after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
