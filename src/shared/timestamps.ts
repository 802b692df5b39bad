const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Formats RFC 3339 in UTC, with a fraction only if the time has one: `2026-01-31T23:59:59Z`. */
export function formatTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

/** Parses RFC 3339 into milliseconds since 1970, without finer digits; undefined for other text. */
export function parseTime(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const wall = `${date}T${time}${fraction.slice(0, 4)}`;
  const milliseconds = Date.parse(`${wall}${zone.toUpperCase()}`);
  // RFC 3339 allows four digits for the year, and a time zone can shift a time beyond them.
  if (milliseconds < FIRST || milliseconds > LAST) return undefined;
  // Date.parse turns February 30 into a day in March.
  if (Number.isNaN(milliseconds) || new Date(`${wall}Z`).toISOString().slice(0, 10) !== date)
    return undefined;
  return milliseconds;
}

// Most output of `formatTime`. Days 29 to 31, which not every month has, are left to `parseTime`.
const NORMALIZED = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(?!000)\d{3})?Z$/;

/** Converts RFC 3339 to the form of `formatTime`; undefined for other text. */
export function normalizeTime(text: string): string | undefined {
  // Exported files have millions of times in this form: they need no full parse.
  if (NORMALIZED.test(text) && !Number.isNaN(Date.parse(text))) return text;
  const milliseconds = parseTime(text);
  return milliseconds === undefined ? undefined : formatTime(milliseconds);
}
