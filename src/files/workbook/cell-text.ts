import { formatTime } from '../../shared/timestamps.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Excel counts days from the end of 1899, and has a February 29, 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LEAP_DAY_1900 = 60;
/** December 31, 9999. */
const LAST_DAY = 2_958_465;
const DECIMALS = 15;

/**
 * Writes a number as a person would type it: as a spreadsheet shows it, with 15 digits, so that 0.1 + 0.2 is
 * 0.3, but whole numbers with all digits, and never with an exponent. Undefined for other text.
 */
export function numberText(value: string): string | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isSafeInteger(number)) return String(number + 0);
  const rounded = Number(number.toPrecision(DECIMALS));
  return /e/.test(String(rounded)) ? withoutExponent(rounded) : String(rounded);
}

function withoutExponent(number: number): string {
  if (Number.isInteger(number)) return BigInt(number).toString();
  // Numbers with an exponent below zero are smaller than a millionth.
  const [digits = '', exponent = ''] = Math.abs(number).toExponential().split('e-');
  const sign = number < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}

/**
 * Writes a time that Excel stores as the number of days since an epoch in RFC 3339, in UTC, because Excel
 * knows no time zones. A number below 1 is a time of day. Undefined for a number that is no time.
 */
export function timeText(value: string, { is1904 }: { is1904: boolean }): string | undefined {
  const days = value.trim() === '' ? Number.NaN : Number(value);
  if (!(days >= 0 && days < LAST_DAY + 1)) return undefined;
  if (days < 1 && !is1904) return formatTime(Math.round(days * DAY_MS)).slice(11, 19);
  const missing = !is1904 && days < LEAP_DAY_1900 ? DAY_MS : 0;
  return formatTime((is1904 ? EPOCH_1904 : EPOCH_1900) + missing + Math.round(days * DAY_MS));
}

/** Completes the times that some programs store as text: `2026-01-31` and `2026-01-31T12:00:00`. */
export function isoTimeText(value: string): string {
  const text = value.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(text) ? `${text}Z` : text;
}

/** Decodes the characters that XML cannot contain, which Excel writes as `_x000D_`. */
export function unescapeText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (!lines.includes('_x')) return lines;
  return lines.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Whether a number format shows a time: it has a letter of dates outside quotes and brackets. */
export function isTimeFormat(code: string): boolean {
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    // Elapsed hours count; colors, conditions and locales do not.
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');
  const [positive = ''] = plain.split(';');
  return /[dmyhs]/i.test(positive) && !/general/i.test(positive);
}

/** Whether a built-in number format shows a time, also in the programs of East Asia. */
export function isBuiltInTimeFormat(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}
