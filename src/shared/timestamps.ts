const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** RFC 3339 in UTC, with a fraction only where the time has one: `2026-01-31T23:59:59Z`. */
export function formatTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

/** Milliseconds since 1970 of an RFC 3339 time, finer digits cut off; undefined for anything else. */
export function parseTime(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const wall = `${date}T${time}${fraction.slice(0, 4)}`;
  const milliseconds = Date.parse(`${wall}${zone.toUpperCase()}`);
  // RFC 3339 knows four digits of a year, and a zone can lead beyond them.
  if (milliseconds < FIRST || milliseconds > LAST) return undefined;
  // Date.parse moves 30 February on into March: such a date is none.
  if (Number.isNaN(milliseconds) || new Date(`${wall}Z`).toISOString().slice(0, 10) !== date)
    return undefined;
  return milliseconds;
}

// As `formatTime` writes; the 29th to the 31st are left to be looked at more closely.
const OWN_FORM = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(?!000)\d{3})?Z$/;

/** An RFC 3339 time as `formatTime` writes it; undefined for anything else. */
export function normalizeTime(text: string): string | undefined {
  // Files written by the service hold millions of times that are so already.
  if (OWN_FORM.test(text) && !Number.isNaN(Date.parse(text))) return text;
  const milliseconds = parseTime(text);
  return milliseconds === undefined ? undefined : formatTime(milliseconds);
}
