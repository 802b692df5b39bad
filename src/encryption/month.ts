/** A month in UTC, as YYYY-MM. A text that is less is an earlier month. */
export type Month = string;

export const MONTH = /\d{4}-(?:0[1-9]|1[0-2])/;

/** `time` is in milliseconds since 1970. */
export function monthAt(time: number): Month {
  return new Date(time).toISOString().slice(0, 7);
}

export function monthBefore(month: Month): Month {
  return monthAt(Date.parse(`${month}-01T00:00:00Z`) - 1);
}

/** Below zero if `to` is earlier. */
export function countMonths(from: Month, to: Month): number {
  const numberOf = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  return numberOf(to) - numberOf(from);
}
