import { Refusal, type ValueReader } from '../../imports/refusal.ts';
import { checkText, textUpTo, written } from '../../imports/value-readers.ts';
import { JSON_NUMBER } from '../../shared/json-number.ts';
import { normalizeTime } from '../../shared/timestamps.ts';
import {
  type Field,
  type FieldKind,
  type FieldValues,
  HIGHEST_RATING,
  LONGEST_IDENTIFIER,
  MOST_COUNTED,
  productStatuses,
} from '../record/product.ts';

/** What an index of PostgreSQL has room for, two levels of it, in any script. */
const MAX_CATEGORY_LEVEL = 255;
const MAX_CATEGORY_LEVELS = 10;
/** Ten levels and what stands between them. */
const MAX_CATEGORY = 10_000;
const ASCII_IDENTIFIER = /^[\w-]{1,100}$/;
const FORBIDDEN_IN_IDENTIFIER = /[^\p{L}\p{N} _-]/u;

const noIdentifier = new Refusal('expected an identifier, found none');
const longIdentifier = new Refusal(`expected an identifier of at most ${LONGEST_IDENTIFIER} characters`);
const spacedIdentifier = new Refusal('expected an identifier without a space at its beginning or end');
const notStatus = new Refusal(`expected one of ${productStatuses.join(', ')}`);
const emptyLevel = new Refusal('expected category levels with | between them, none of them empty');
const longLevel = new Refusal(`expected category levels of at most ${MAX_CATEGORY_LEVEL} characters`);
const manyLevels = new Refusal(`expected at most ${MAX_CATEGORY_LEVELS} category levels`);
const notJsonNumber = new Refusal('expected a JSON number, 0 or more, not in quotes');
const notAmount = new Refusal('expected a number, 0 or more, such as 1234.5');
const notRating = new Refusal(`expected a rating from 0 to ${HIGHEST_RATING}, such as 4.5`);
const notPlain = new Refusal(
  'expected a number without thousands separators and with a decimal point: 1234.5',
);
/** The refusal of any time that is none. */
export const notTime = new Refusal('expected an RFC 3339 time, such as 2026-01-31T23:59:59Z');

/** Letters and digits of any script, spaces, dashes and underscores, up to 100 characters. */
export function checkIdentifier(identifier: string): string | Refusal {
  if (ASCII_IDENTIFIER.test(identifier)) return identifier;
  if (identifier.trim() === '') return noIdentifier;
  const forbidden = FORBIDDEN_IN_IDENTIFIER.exec(identifier)?.[0].toWellFormed();
  if (forbidden !== undefined) {
    return new Refusal(
      `expected letters, digits, spaces, dashes and underscores, found ${JSON.stringify(forbidden)}`,
    );
  }
  if (identifier.startsWith(' ') || identifier.endsWith(' ')) return spacedIdentifier;
  return [...identifier].length > LONGEST_IDENTIFIER ? longIdentifier : identifier;
}

/** The number that a cell holds, or what is wrong with it. */
function parseNumber(cell: string): number | Refusal {
  if (/\d[,' \u00a0\u202f]\s?\d/.test(cell)) return notPlain;
  return JSON_NUMBER.test(cell) ? Number(cell) : notAmount;
}

/** Numbers, in JSON without quotes; null and the blank cell are null. */
function numeric(
  check: (number: number) => number | Refusal,
  wrongCell: Refusal,
): ValueReader<number | null> {
  return {
    fromJson: (value) => {
      if (value === null) return null;
      return typeof value === 'number' ? check(value) : notJsonNumber;
    },
    fromCell: (cell) => {
      const trimmed = cell.trim();
      if (trimmed === '') return null;
      const number = parseNumber(trimmed);
      if (!(number instanceof Refusal)) return check(number);
      return number === notPlain ? number : wrongCell;
    },
  };
}

const checkTime = (time: string): string | Refusal => normalizeTime(time) ?? notTime;

function checkCategory(category: string): string | Refusal {
  const checked = checkText(category, MAX_CATEGORY);
  if (checked instanceof Refusal) return checked;
  const levels = checked.split('|').map((level) => level.trim());
  if (levels.some((level) => [...level].length > MAX_CATEGORY_LEVEL)) return longLevel;
  if (levels.includes('')) return emptyLevel;
  return levels.length > MAX_CATEGORY_LEVELS ? manyLevels : levels.join(' | ');
}

/**
 * A reader for each kind of field that files may set, but for text, which has a limit for each field. Times come out in UTC as the service writes them,
 * categories with ` | ` between their levels; a status of null is to be derived.
 */
export const fieldReaders: {
  [Kind in Exclude<FieldKind, 'assigned' | 'variations' | 'status' | 'text'>]: ValueReader<FieldValues[Kind]>;
} & { status: ValueReader<FieldValues['status'] | null> } = {
  identifier: {
    fromJson: written(checkIdentifier, noIdentifier).fromJson,
    // Not trimmed: what is written with a space at its end elsewhere would not be found.
    fromCell: checkIdentifier,
  },
  status: written<FieldValues['status'] | null>(
    (status) => productStatuses.find((known) => known === status) ?? notStatus,
    null,
  ),
  category: written<string | null>(checkCategory, null),
  amount: numeric((number) => (Number.isFinite(number) && number >= 0 ? number + 0 : notAmount), notAmount),
  rating: numeric((number) => (number >= 0 && number <= HIGHEST_RATING ? number + 0 : notRating), notRating),
  count: wholeUpTo(MOST_COUNTED),
  sum: wholeUpTo(Number.MAX_SAFE_INTEGER),
  time: written<string | null>(checkTime, null),
};

function wholeUpTo(maximum: number): ValueReader<number | null> {
  const refusal = new Refusal(`expected a whole number from 0 to ${maximum}`);
  return numeric(
    (number) => (Number.isInteger(number) && number >= 0 && number <= maximum ? number + 0 : refusal),
    refusal,
  );
}

/**
 * The reader of each field of a record, by its name. Null where the service alone assigns the field, or
 * where it takes more than a value: those are passed over.
 */
export function readersOf(
  fields: Record<string, Field>,
): Map<string, ValueReader<string | number | null> | null> {
  return new Map(Object.entries(fields).map(([name, field]) => [name, readerOf(field)]));
}

function readerOf(field: Field): ValueReader<string | number | null> | null {
  if (field.kind === 'text') return textUpTo(field.maxLength);
  return field.kind === 'assigned' || field.kind === 'variations' ? null : fieldReaders[field.kind];
}
