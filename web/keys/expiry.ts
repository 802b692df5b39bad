/** A choice of when a key or an old token expires. */
export interface ExpiryOption {
  value: string;
  label: string;
  /** Hours from now; omitted for a custom date, `never` and `now`. */
  hours?: number;
}

export const expiryOptions: ExpiryOption[] = [
  { value: '30d', label: 'In 30 days', hours: 30 * 24 },
  { value: '90d', label: 'In 90 days', hours: 90 * 24 },
  { value: '365d', label: 'In 1 year', hours: 365 * 24 },
  { value: 'date', label: 'Custom date' },
  { value: 'never', label: 'Never' },
];

export const overlapOptions: ExpiryOption[] = [
  { value: 'now', label: 'Immediately' },
  { value: '1h', label: 'In 1 hour', hours: 1 },
  { value: '24h', label: 'In 1 day', hours: 24 },
  { value: '7d', label: 'In 7 days', hours: 7 * 24 },
];

/** Returns the expiration of the chosen option as RFC 3339, or null if the option has no hours. */
export function expiryTime(options: readonly ExpiryOption[], chosen: string): string | null {
  const hours = options.find(({ value }) => value === chosen)?.hours;
  return hours === undefined ? null : new Date(Date.now() + hours * 3_600_000).toISOString();
}

/** Returns the last second of a day (`YYYY-MM-DD`) in a time zone, as RFC 3339. */
export function endOfDay(day: string, timeZone: string): string {
  const asUtc = Date.parse(`${day}T23:59:59Z`);
  // The first offset may be wrong near a clock change; the second one corrects it.
  const estimate = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(estimate, timeZone)).toISOString();
}

/** Returns the current day in a time zone as `YYYY-MM-DD`. */
export function today(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
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
