import { MAX_ORDER_ID } from '../record/order.ts';
import { identifierWord } from '../record/order-words.ts';

/** A text of this length also finds what begins with it. */
export const MIN_PREFIX = 3;
/** No text has a later character. */
export const LAST = '\u{10ffff}';
/** After a whole text, and before every other one that begins with it. */
const AFTER_TEXT = '\u0001';

const ORDER_ID = /^#?(\d{1,10})$/;

/** Returns the order's ID that a text is; undefined if it is none. */
export function orderIdIn(text: string): number | undefined {
  const number = Number(ORDER_ID.exec(text.trim())?.[1] ?? 0);
  return number >= 1 && number <= MAX_ORDER_ID ? number : undefined;
}

/** Returns the range of external IDs that a text finds, as it is or in upper case, end excluded. */
export function externalIdRanges(text: string): { from: string; end: string }[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  return [...new Set([trimmed, trimmed.toUpperCase()])].map((from) => ({
    from,
    end: from + (trimmed.length < MIN_PREFIX ? AFTER_TEXT : LAST),
  }));
}

/** Returns the range of words (`identifierWord`) that a text finds, end excluded; undefined for no text. */
export function wordRange(text: string): { from: string; end: string } | undefined {
  const from = identifierWord(text);
  const length = from.length - identifierWord('').length;
  if (length === 0) return undefined;
  return { from, end: from + (length < MIN_PREFIX ? AFTER_TEXT : LAST) };
}
