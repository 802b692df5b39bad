/** Whether this is an IANA time zone's name that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Offsets from UTC change at whole quarters of an hour, so one look-up serves a quarter. */
const QUARTER_MS = 15 * 60 * 1000;
const REMEMBERED_QUARTERS = 100_000;

/** Tells the calendar month (`YYYY-MM`) of times, in milliseconds since 1970, in one time zone. */
export function monthIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', era: 'short' });
  const months = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    let month = months.get(quarter);
    if (month === undefined) {
      const parts = new Map(
        format.formatToParts(quarter * QUARTER_MS).map(({ type, value }) => [type, value]),
      );
      month = `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}`;
      if (months.size >= REMEMBERED_QUARTERS) months.clear();
      months.set(quarter, month);
    }
    return month;
  };
}
