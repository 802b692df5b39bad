import { Refusal, type ValueReader } from './refusal.ts';

const MAX_TEXT = 100_000;

const notText = new Refusal('expected text in quotes');
const tooLong = new Refusal(`expected at most ${MAX_TEXT} characters`);
const notStorable = new Refusal('expected text without NUL characters and without halves of surrogate pairs');
const notMerchant = new Refusal('expected the id or the name of a merchant');

function checkText(text: string): string | Refusal {
  if (text.length > MAX_TEXT) return tooLong;
  return text.includes('\0') || !text.isWellFormed() ? notStorable : text;
}

/** Text of up to 100,000 characters, kept as it is. The empty cell is null. */
export const text: ValueReader<string | null> = {
  fromJson: (value) => {
    if (value === null) return null;
    return typeof value === 'string' ? checkText(value) : notText;
  },
  fromCell: (cell) => (cell === '' ? null : checkText(cell)),
};

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
    return typeof value === 'string' && value.trim() !== '' ? checkText(value.trim()) : notMerchant;
  },
  fromCell: (cell) => checkText(cell.trim()) || null,
};
