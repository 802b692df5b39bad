/** Whether this is the name of an IANA time zone that the runtime supports. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** A quarter of an hour is almost always within one day, so that one cached lookup serves all of it. */
const QUARTER_MS = 15 * 60 * 1000;
const MAX_CACHED_QUARTERS = 100_000;

type Field = 'year' | 'month' | 'day' | 'hour';

const DATE_OPTIONS = { year: 'numeric', month: '2-digit', day: '2-digit', era: 'short' } as const;
const HOUR_OPTIONS = { hour: '2-digit', hourCycle: 'h23' } as const;

/** Maps times, in milliseconds since 1970, to their calendar day (`YYYY-MM-DD`) in a time zone. */
export function dayIn(timeZone: string): (time: number) => string {
  return dateIn(timeZone, ['year', 'month', 'day']);
}

/** Maps times, in milliseconds since 1970, to their calendar month (`YYYY-MM`) in a time zone. */
export function monthIn(timeZone: string): (time: number) => string {
  return dateIn(timeZone, ['year', 'month']);
}

/** Maps times, in milliseconds since 1970, to the hour that a clock in a time zone shows, from 0 to 23. */
export function hourIn(timeZone: string): (time: number) => number {
  const hourOf = dateIn(timeZone, ['hour']);
  return (time) => Number(hourOf(time));
}

/** By time zone. To create a format takes as long as to format dozens of dates. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const hourFormats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, isOfHours: boolean): Intl.DateTimeFormat {
  const [known, options] = isOfHours ? [hourFormats, HOUR_OPTIONS] : [dateFormats, DATE_OPTIONS];
  const format = known.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, ...options });
  known.set(timeZone, format);
  return format;
}

function dateIn(timeZone: string, fields: readonly Field[]): (time: number) => string {
  const format = formatOf(timeZone, fields.includes('hour'));
  const lookUp = (time: number): string => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return fields.map((name) => parts.get(name)?.padStart(name === 'year' ? 4 : 2, '0')).join('-');
  };
  /** Undefined for a quarter with two dates, which a clock change just after midnight can cause. */
  const dates = new Map<number, string | undefined>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (!dates.has(quarter)) {
      const [first, last] = [lookUp(quarter * QUARTER_MS), lookUp((quarter + 1) * QUARTER_MS - 1)];
      if (dates.size >= MAX_CACHED_QUARTERS) dates.clear();
      dates.set(quarter, first === last ? first : undefined);
    }
    return dates.get(quarter) ?? lookUp(time);
  };
}
