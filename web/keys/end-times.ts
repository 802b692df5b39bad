/** How long a key, or a token on its way out, may still work. */
export interface EndChoice {
  value: string;
  label: string;
  /** Hours from now; left out where the choice says it otherwise. */
  hours?: number;
}

export const expiryChoices: EndChoice[] = [
  { value: '30d', label: 'In 30 days', hours: 30 * 24 },
  { value: '90d', label: 'In 90 days', hours: 90 * 24 },
  { value: '365d', label: 'In a year', hours: 365 * 24 },
  { value: 'date', label: 'On a day that I choose' },
  { value: 'never', label: 'Never' },
];

export const overlapChoices: EndChoice[] = [
  { value: 'now', label: 'At once' },
  { value: '1h', label: 'In an hour', hours: 1 },
  { value: '24h', label: 'In a day', hours: 24 },
  { value: '7d', label: 'In a week', hours: 7 * 24 },
];

/** RFC 3339; null for the choices without an end of their own. */
export function endOf(choice: EndChoice | undefined): string | null {
  return choice?.hours === undefined ? null : new Date(Date.now() + choice.hours * 3_600_000).toISOString();
}

/** The end of a day, in the time zone that the merchant works in. */
export function endOfDay(day: string, timeZone: string): string {
  const asUtc = Date.parse(`${day}T23:59:59Z`);
  // The offset at the wanted moment is not known before it is: the second step mends the days when clocks change.
  const first = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(first, timeZone)).toISOString();
}

/** The day that it is, `YYYY-MM-DD`. */
export function today(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}

function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - Math.floor(moment / 1000) * 1000;
}
