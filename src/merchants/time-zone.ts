/** Whether this is an IANA time zone's name that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Almost always all of a quarter of an hour is in one month, so that one look-up serves it. */
const QUARTER_MS = 15 * 60 * 1000;
const REMEMBERED_QUARTERS = 100_000;

/** Tells the calendar month (`YYYY-MM`) of times, in milliseconds since 1970, in one time zone. */
export function monthIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', era: 'short' });
  const lookUp = (time: number): string => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}`;
  };
  /** Undefined for a quarter in which the month changes: clocks have gone back a minute after midnight. */
  const months = new Map<number, string | undefined>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (!months.has(quarter)) {
      const [first, last] = [lookUp(quarter * QUARTER_MS), lookUp((quarter + 1) * QUARTER_MS - 1)];
      if (months.size >= REMEMBERED_QUARTERS) months.clear();
      months.set(quarter, first === last ? first : undefined);
    }
    return months.get(quarter) ?? lookUp(time);
  };
}
