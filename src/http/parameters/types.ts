import { InvalidValue } from '../../shared/invalid-value.ts';
import { JSON_NUMBER } from '../../shared/numbers.ts';
import { parseTime } from '../../shared/timestamps.ts';
import { orNull, type Schema } from '../schema.ts';
import type { RawParameter } from './raw-parameters.ts';

export interface ParameterType<T> {
  /** Completes “expected …” in a message, and describes the parameter in the documentation. */
  readonly expected: string;
  /** Some types accept other spellings too, or have further rules: a time must be in the future. */
  readonly schema: Schema;
  /** Set if it reads JSON arrays or objects; `read` gets their text. */
  readonly isNested?: true;
  /** Set if it reads a JSON array, or texts between commas. Forms may also have `name[]` or `name[0]`. */
  readonly isList?: true;
  /** Whether a value may have a person's data, which no message and so no log repeats. */
  readonly isPersonal?: true;
  /** Undefined if the parameter is not of this type; an `InvalidValue` says more. */
  read(parameter: RawParameter): T | InvalidValue | undefined;
}

/** Longer than any cursor: one contains an identifier at most. */
const MAX_CURSOR_LENGTH = 2_000;
export const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const INTEGER = /^[+-]?\d+$/;
/** A whole number in a call that writes. Published clients send quantities as decimals. */
export const WHOLE_NUMBER = /^[+-]?\d+(?:\.0+)?$/;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const isText = ({ kind }: RawParameter): boolean => kind === 'text' || kind === 'string';

/** A whole number from `minimum` to `maximum`, both 32-bit signed. */
export function int32(minimum: number, maximum = INT32_MAX): ParameterType<number> {
  return integerLike(INTEGER, minimum, maximum);
}

/** Like `int32`, with or without a fraction of zero: `2.0` is 2. */
export function wholeNumber(minimum: number): ParameterType<number> {
  return integerLike(WHOLE_NUMBER, minimum, INT32_MAX);
}

function integerLike(syntax: RegExp, minimum: number, maximum: number): ParameterType<number> {
  return {
    expected: `a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', format: 'int32', minimum, maximum },
    read: ({ kind, text }) => {
      if (kind === 'boolean' || !syntax.test(text)) return undefined;
      const number = Number(text);
      return number >= minimum && number <= maximum ? number : undefined;
    },
  };
}

/** `true`, `false`, `1` or `0`, in any letter case. */
export const boolean: ParameterType<boolean> = {
  expected: 'true, false, 1 or 0',
  schema: { type: 'boolean' },
  read: ({ text }) => {
    const word = text.toLowerCase();
    if (word === 'true' || word === '1') return true;
    return word === 'false' || word === '0' ? false : undefined;
  },
};

/** 0 or 1. */
export const bit: ParameterType<number> = { ...int32(0, 1), expected: '0 or 1' };

/** A finite amount of money, 0 or more, in JSON's number syntax. */
export const amount: ParameterType<number> = {
  expected: 'a number that is 0 or more, such as 12.5',
  schema: { type: 'number', format: 'double', minimum: 0 },
  read: ({ kind, text }) => {
    if (kind === 'boolean' || !JSON_NUMBER.test(text)) return undefined;
    const number = Number(text);
    return number >= 0 && number <= Number.MAX_VALUE ? number : undefined;
  },
};

/** One of these words, case-sensitive. */
export function oneOf<const Word extends string>(words: readonly Word[]): ParameterType<Word> {
  return {
    expected: `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    read: (parameter) => (isText(parameter) ? words.find((word) => word === parameter.text) : undefined),
  };
}

/** In milliseconds since 1970. */
export const instant: ParameterType<number> = {
  expected: 'an RFC 3339 time, such as 2026-01-31T12:00:00Z',
  schema: { type: 'string', format: 'date-time' },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? parseTime(text.trim()) : undefined),
};

/** `YYYY-MM`. */
export const calendarMonth: ParameterType<string> = {
  expected: 'a month, such as 2026-01',
  schema: { type: 'string', pattern: MONTH.source },
  read: (parameter) => (isText(parameter) && MONTH.test(parameter.text) ? parameter.text : undefined),
};

/** `YYYY-MM-DD`. */
export const calendarDay: ParameterType<string> = {
  expected: 'a day, such as 2026-01-31',
  schema: { type: 'string', format: 'date' },
  read: (parameter) =>
    isText(parameter) && DAY.test(parameter.text) && isDate(parameter.text) ? parameter.text : undefined,
};

function isDate(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

export const ignored: ParameterType<null> = {
  expected: 'any value',
  // Without a type, generated clients do not compile.
  schema: { type: ['number', 'string', 'boolean'] },
  read: () => null,
};

export function clearable<T>(type: ParameterType<T>): { type: ParameterType<T>; null: 'clears' } {
  return { type: { ...type, schema: orNull(type.schema) }, null: 'clears' };
}

/** Text that is not blank, of at most `maximum` characters. */
export function text(maximum: number): ParameterType<string> {
  return {
    expected: `text of 1 to ${maximum} characters`,
    schema: { type: 'string', minLength: 1, maxLength: maximum, pattern: '\\S' },
    read: (parameter) =>
      isText(parameter) && !longerThan(parameter.text, maximum) ? parameter.text : undefined,
  };
}

/** `decodeCursor` checks whether it is one. */
export const cursor: ParameterType<string> = {
  expected: 'the cursor of an earlier response',
  schema: { type: 'string', format: 'cursor', minLength: 1, maxLength: MAX_CURSOR_LENGTH },
  read: (parameter) =>
    isText(parameter) && parameter.text.length <= MAX_CURSOR_LENGTH ? parameter.text : undefined,
};

/** The first one or two levels of a product's category, separated by `|` and trimmed. */
export const categoryLevels: ParameterType<[string] | [string, string]> = {
  expected: 'one or two category levels, such as "Home | Garden"',
  schema: { type: 'string', pattern: String.raw`^[^|]*[^|\s][^|]*(\|[^|]*[^|\s][^|]*)?$` },
  read: (parameter) => {
    if (!isText(parameter)) return undefined;
    const [first = '', second, ...further] = parameter.text.split('|').map((level) => level.trim());
    if (first === '' || second === '' || further.length > 0) return undefined;
    return second === undefined ? [first] : [first, second];
  },
};

/** A list: a JSON array, also as text, texts between commas, or in forms `name[]=` or `name[0]=` for each. */
export function listOf<T>(
  what: string,
  maximum: number,
  { schema, read }: { schema: Schema; read(text: string): T | undefined },
): ParameterType<T[]> {
  return {
    expected: `1 to ${maximum} ${what}, separated by commas`,
    schema: { type: 'array', items: schema, minItems: 1, maxItems: maximum },
    isNested: true,
    isList: true,
    read: ({ kind, text: sent }) => {
      const parts: unknown = kind === 'nested' ? JSON.parse(sent) : partsOf(sent);
      if (!Array.isArray(parts) || parts.length === 0) return undefined;
      if (parts.length > maximum)
        return new InvalidValue(`expected at most ${maximum} ${what}, found ${parts.length}`);
      const values: T[] = [];
      for (const part of parts) {
        const isScalar = typeof part === 'string' || typeof part === 'number';
        const value = isScalar ? read(String(part).trim()) : undefined;
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    },
  };
}

/** Clients that only send forms write a JSON array as text. Undefined if it is not valid JSON. */
function partsOf(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text.split(',');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function longerThan(value: string, maximum: number): boolean {
  // A character has one or two code units, so most values do not have to be split into characters.
  if (value.length <= maximum) return false;
  return value.length > 2 * maximum || [...value].length > maximum;
}
