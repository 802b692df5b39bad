import { dayIn } from '../../src/merchants/time-zone.ts';

const DAY_MS = 86_400_000;

/** Returns the first instant of a day (`YYYY-MM-DD`) in a time zone, as RFC 3339. */
export function startOfDay(day: string, timeZone: string): string {
  return timeOf(`${day}T00:00:00`, timeZone);
}

/** Returns the last second of a day (`YYYY-MM-DD`) in a time zone, as RFC 3339. */
export function endOfDay(day: string, timeZone: string): string {
  return timeOf(`${day}T23:59:59`, timeZone);
}

/** Returns the first instant of the day so many days before that of `now` in a time zone, as RFC 3339. */
export function startOfDaysAgo(days: number, now: number, timeZone: string): string {
  const day = Date.parse(dayIn(timeZone)(now)) - days * DAY_MS;
  return startOfDay(new Date(day).toISOString().slice(0, 'YYYY-MM-DD'.length), timeZone);
}

/** Returns the current day in a time zone as `YYYY-MM-DD`. */
export function today(timeZone: string): string {
  return dayIn(timeZone)(Date.now());
}

/** Returns when a clock in a time zone shows a time, or when a clock change skips it. */
function timeOf(local: string, timeZone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  // The first offset may be wrong near a clock change; the second one corrects it.
  const estimate = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(estimate, timeZone)).toISOString();
}

/** Returns a time zone's offset from UTC at a time, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value);
  const localTime = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return localTime - Math.floor(time / 1000) * 1000;
}
