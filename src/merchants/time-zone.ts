/** Whether this is the name of an IANA time zone that the runtime supports. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** A quarter of an hour is almost always within one month, so that one cached lookup serves all of it. */
const QUARTER_MS = 15 * 60 * 1000;
const MAX_CACHED_QUARTERS = 100_000;

/** Maps times, in milliseconds since 1970, to their calendar month (`YYYY-MM`) in a time zone. */
export function monthIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', era: 'short' });
  const lookUp = (time: number): string => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}`;
  };
  /** Undefined for a quarter with two months, which a clock change just after midnight can cause. */
  const months = new Map<number, string | undefined>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (!months.has(quarter)) {
      const [first, last] = [lookUp(quarter * QUARTER_MS), lookUp((quarter + 1) * QUARTER_MS - 1)];
      if (months.size >= MAX_CACHED_QUARTERS) months.clear();
      months.set(quarter, first === last ? first : undefined);
    }
    return months.get(quarter) ?? lookUp(time);
  };
}
