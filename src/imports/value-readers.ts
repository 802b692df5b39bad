import { Refusal, type ValueReader } from './refusal.ts';

/** No merchant has a longer name. */
const MAX_NAME = 255;

const notText = new Refusal('expected text in quotes');
const notStorable = new Refusal('expected text without NUL characters and without halves of surrogate pairs');
const notMerchant = new Refusal('expected the id or the name of a merchant');

/** The text, or why it cannot be kept. Characters are code points. */
export function checkText(text: string, maxLength: number): string | Refusal {
  if (isLonger(text, maxLength)) return new Refusal(`expected at most ${maxLength} characters`);
  return text.includes('\0') || !text.isWellFormed() ? notStorable : text;
}

function isLonger(text: string, maxLength: number): boolean {
  // A character is one or two UTF-16 units.
  return text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);
}

/** Text of up to so many characters, kept as it is. The empty cell is null. */
export function textUpTo(maxLength: number): ValueReader<string | null> {
  return {
    fromJson: (value) => {
      if (value === null) return null;
      return typeof value === 'string' ? checkText(value, maxLength) : notText;
    },
    fromCell: (cell) => (cell === '' ? null : checkText(cell, maxLength)),
  };
}

/** What is written as text in JSON as in a cell; null and the blank cell are `blank`. Cells are trimmed. */
export function written<T>(read: (text: string) => T | Refusal, blank: T | Refusal): ValueReader<T> {
  return {
    fromJson: (value) => {
      if (value === null || value === undefined) return blank;
      return typeof value === 'string' ? read(value) : notText;
    },
    fromCell: (cell) => {
      const trimmed = cell.trim();
      return trimmed === '' ? blank : read(trimmed);
    },
  };
}

/** The id or the name of a merchant, or null where the row names none. JSON may give an id as a number. */
export const merchant: ValueReader<string | null> = {
  fromJson: (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : notMerchant;
    return typeof value === 'string' && value.trim() !== '' ? checkText(value.trim(), MAX_NAME) : notMerchant;
  },
  fromCell: (cell) => checkText(cell.trim(), MAX_NAME) || null,
};
