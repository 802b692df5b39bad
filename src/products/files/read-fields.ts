import { checkText, fromText, textUpTo, type ValueReader } from '../../files/value-readers.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { JSON_NUMBER } from '../../shared/numbers.ts';
import { normalizeTime } from '../../shared/timestamps.ts';
import {
  type Field,
  type FieldKind,
  type FieldValues,
  MAX_COUNT,
  MAX_IDENTIFIER,
  MAX_RATING,
  productStatuses,
} from '../record/product.ts';

/** Two levels of this length, in any script, fit in one PostgreSQL index entry. */
const MAX_CATEGORY_LEVEL = 255;
const MAX_CATEGORY_LEVELS = 10;
/** Enough for ten levels with spaces around them. */
export const MAX_CATEGORY = 10_000;
const LEVEL = String.raw`\s*[^|\s]([^|]{0,${MAX_CATEGORY_LEVEL - 2}}[^|\s])?\s*`;
/** The categories that can be read, for JSON Schema. */
export const CATEGORY_PATTERN = String.raw`^${LEVEL}(\|${LEVEL}){0,${MAX_CATEGORY_LEVELS - 1}}$`;
const ASCII_IDENTIFIER = /^[\w-][\w.-]{0,99}$/;
const FORBIDDEN_IN_IDENTIFIER = /[^\p{L}\p{N} ._-]/u;
/** Clients and proxies resolve these path segments, and the operator's paths contain identifiers. */
const DOT_SEGMENT = /^\.{1,2}$/;

const noIdentifier = new InvalidValue('expected an identifier, found none');
const longIdentifier = new InvalidValue(`expected an identifier of at most ${MAX_IDENTIFIER} characters`);
const spacedIdentifier = new InvalidValue('expected an identifier without spaces at either end');
const dotSegment = new InvalidValue('expected an identifier other than "." and ".."');
const notStatus = new InvalidValue(`expected one of ${productStatuses.join(', ')}`);
const emptyLevel = new InvalidValue('expected category levels separated by |, none of them empty');
const longLevel = new InvalidValue(`expected category levels of at most ${MAX_CATEGORY_LEVEL} characters`);
const manyLevels = new InvalidValue(`expected at most ${MAX_CATEGORY_LEVELS} category levels`);
const notJsonNumber = new InvalidValue('expected a JSON number, 0 or more, not in quotes');
const notAmount = new InvalidValue('expected a number, 0 or more, such as 1234.5');
const notRating = new InvalidValue(`expected a rating from 0 to ${MAX_RATING}, such as 4.5`);
const notPlain = new InvalidValue(
  'expected a number without thousands separators and with a decimal point: 1234.5',
);
export const notTime = new InvalidValue('expected an RFC 3339 time, such as 2026-01-31T23:59:59Z');

/**
 * Checks an identifier: 1 to 100 letters and digits of any script, spaces, periods, dashes and underscores,
 * without a space at either end, and not `.` or `..`.
 */
export function checkIdentifier(identifier: string): string | InvalidValue {
  if (ASCII_IDENTIFIER.test(identifier)) return identifier;
  if (identifier.trim() === '') return noIdentifier;
  const forbidden = FORBIDDEN_IN_IDENTIFIER.exec(identifier)?.[0].toWellFormed();
  if (forbidden !== undefined) {
    return new InvalidValue(
      `expected letters, digits, spaces, periods, dashes and underscores, found ${JSON.stringify(forbidden)}`,
    );
  }
  if (DOT_SEGMENT.test(identifier)) return dotSegment;
  if (identifier.startsWith(' ') || identifier.endsWith(' ')) return spacedIdentifier;
  return [...identifier].length > MAX_IDENTIFIER ? longIdentifier : identifier;
}

function parseNumber(cell: string): number | InvalidValue {
  if (/\d[,' \u00a0\u202f]\s?\d/.test(cell)) return notPlain;
  return JSON_NUMBER.test(cell) ? Number(cell) : notAmount;
}

/** Reads numbers, which must not be in quotes in JSON; null and blank cells are null. */
function numeric(
  check: (number: number) => number | InvalidValue,
  notNumber: InvalidValue,
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
      if (!(number instanceof InvalidValue)) return check(number);
      return number === notPlain ? number : notNumber;
    },
  };
}

const checkTime = (time: string): string | InvalidValue => normalizeTime(time) ?? notTime;

function checkCategory(category: string): string | InvalidValue {
  const checked = checkText(category, MAX_CATEGORY);
  if (checked instanceof InvalidValue) return checked;
  const levels = checked.split('|').map((level) => level.trim());
  if (levels.some((level) => [...level].length > MAX_CATEGORY_LEVEL)) return longLevel;
  if (levels.includes('')) return emptyLevel;
  return levels.length > MAX_CATEGORY_LEVELS ? manyLevels : levels.join(' | ');
}

/**
 * Readers for the fields that files may set, except variations and texts, whose limits differ. Times become
 * UTC as the service formats them, ` | ` joins category levels, and a null status is derived.
 */
export const fieldReaders: {
  [Kind in Exclude<FieldKind, 'assigned' | 'variations' | 'status' | 'text'>]: ValueReader<FieldValues[Kind]>;
} & { status: ValueReader<FieldValues['status'] | null> } = {
  identifier: {
    fromJson: fromText(checkIdentifier, noIdentifier).fromJson,
    // Not trimmed: spaces at either end are an error, as in JSON.
    fromCell: checkIdentifier,
  },
  status: fromText<FieldValues['status'] | null>(
    (status) => productStatuses.find((known) => known === status) ?? notStatus,
    null,
  ),
  category: fromText<string | null>(checkCategory, null),
  // `+ 0` turns -0 into 0.
  amount: numeric((number) => (Number.isFinite(number) && number >= 0 ? number + 0 : notAmount), notAmount),
  rating: numeric((number) => (number >= 0 && number <= MAX_RATING ? number + 0 : notRating), notRating),
  count: integerUpTo(MAX_COUNT),
  sum: integerUpTo(Number.MAX_SAFE_INTEGER),
  time: fromText<string | null>(checkTime, null),
};

export function identifierOf(cell: string): string | undefined {
  const identifier = checkIdentifier(cell);
  return identifier instanceof InvalidValue ? undefined : identifier;
}

function integerUpTo(maximum: number): ValueReader<number | null> {
  const notInteger = new InvalidValue(`expected a whole number from 0 to ${maximum}`);
  return numeric(
    (number) => (Number.isInteger(number) && number >= 0 && number <= maximum ? number + 0 : notInteger),
    notInteger,
  );
}

/** Returns the readers of a record's fields by name; null for `assigned` fields and variations. */
export function readersOf(
  fields: Record<string, Field>,
): Map<string, ValueReader<string | number | null> | null> {
  return new Map(Object.entries(fields).map(([name, field]) => [name, readerOf(field)]));
}

function readerOf(field: Field): ValueReader<string | number | null> | null {
  if (field.kind === 'text') return textUpTo(field.maxLength);
  return field.kind === 'assigned' || field.kind === 'variations' ? null : fieldReaders[field.kind];
}
