import { InvalidValue } from '../shared/invalid-value.ts';

export interface ValueReader<T> {
  fromJson(value: unknown): T | InvalidValue;
  /** The cell may be blank. */
  fromCell(cell: string): T | InvalidValue;
}

const MAX_NAME = 255;
const DIGITS = /^\d{1,16}$/;

const notText = new InvalidValue('expected text in quotes');
const notStorable = new InvalidValue('expected text without NUL characters or unpaired surrogates');
const notMerchant = new InvalidValue('expected the ID or the name of a merchant');

/** Returns the text, or why it cannot be stored. Characters are code points. */
export function checkText(text: string, maxLength: number): string | InvalidValue {
  if (isLonger(text, maxLength)) return new InvalidValue(`expected at most ${maxLength} characters`);
  return text.includes('\0') || !text.isWellFormed() ? notStorable : text;
}

function isLonger(text: string, maxLength: number): boolean {
  // A character is one or two UTF-16 units.
  return text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);
}

/** Reads text with at most `maxLength` characters, untrimmed. An empty cell is null. */
export function textUpTo(maxLength: number): ValueReader<string | null> {
  return {
    fromJson: (value) => {
      if (value === null) return null;
      return typeof value === 'string' ? checkText(value, maxLength) : notText;
    },
    fromCell: (cell) => (cell === '' ? null : checkText(cell, maxLength)),
  };
}

/** Text in JSON and in CSV, where cells are trimmed. `blank` is for null and for blank cells. */
export function fromText<T>(
  read: (text: string) => T | InvalidValue,
  blank: T | InvalidValue,
): ValueReader<T> {
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

/** Reads a whole number from 1 to `maximum`. Null and a blank cell are null. */
export function wholeUpTo(maximum: number): ValueReader<number | null> {
  const notWhole = new InvalidValue(`expected a whole number from 1 to ${maximum}`);
  const read = (value: number): number | InvalidValue =>
    Number.isInteger(value) && value >= 1 && value <= maximum ? value : notWhole;
  return {
    fromJson: (value) => {
      if (value === null) return null;
      return typeof value === 'number' ? read(value) : notWhole;
    },
    fromCell: (cell) => {
      const trimmed = cell.trim();
      if (trimmed === '') return null;
      return DIGITS.test(trimmed) ? read(Number(trimmed)) : notWhole;
    },
  };
}

/** Reads an ID or a name; null if the row names no merchant. In JSON, an ID may be a number. */
export const merchantReader: ValueReader<string | null> = {
  fromJson: (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : notMerchant;
    return typeof value === 'string' && value.trim() !== '' ? checkText(value.trim(), MAX_NAME) : notMerchant;
  },
  fromCell: (cell) => checkText(cell.trim(), MAX_NAME) || null,
};
