import { JSON_NUMBER } from '../../shared/json-number.ts';
import type { Schema } from '../endpoint/schema.ts';
import type { RawParameter } from './raw-parameters.ts';

/** How one parameter is read from what was sent. */
export interface ParameterType<T> {
  /** Completes “expected …” in a message, and describes the parameter in the documentation. */
  readonly expected: string;
  /** The same for programs. What it allows is taken; other spellings of the same value may be taken too. */
  readonly schema: Schema;
  /** The value, or undefined where what was sent is not of this type. */
  read(given: RawParameter): T | undefined;
}

const INT32_MAX = 2 ** 31 - 1;
const INTEGER = /^[+-]?\d+$/;
const isText = ({ kind }: RawParameter): boolean => kind === 'text' || kind === 'string';

/** A whole number from `minimum` to `maximum`, both within 32 bits with a sign. */
export function int32(minimum: number, maximum = INT32_MAX): ParameterType<number> {
  return {
    expected: `a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', format: 'int32', minimum, maximum },
    read: ({ kind, text }) => {
      if (kind === 'boolean' || !INTEGER.test(text)) return undefined;
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

/** One of the words given, in exactly that letter case. */
export function oneOf<const Word extends string>(words: readonly Word[]): ParameterType<Word> {
  return {
    expected: `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    read: (given) => (isText(given) ? words.find((word) => word === given.text) : undefined),
  };
}

/** Text that is not blank, of at most `maximum` characters. */
export function text(maximum: number): ParameterType<string> {
  return {
    expected: `text of 1 to ${maximum} characters`,
    schema: { type: 'string', minLength: 1, maxLength: maximum, pattern: '\\S' },
    read: (given) => (isText(given) && !longerThan(given.text, maximum) ? given.text : undefined),
  };
}

/** One or two category levels with `|` between, each trimmed: the product's first levels. */
export const categoryLevels: ParameterType<[string] | [string, string]> = {
  expected: 'one or two category levels, such as "Home | Garden"',
  schema: { type: 'string', pattern: String.raw`^[^|]*[^|\s][^|]*(\|[^|]*[^|\s][^|]*)?$` },
  read: (given) => {
    if (!isText(given)) return undefined;
    const [first = '', second, ...further] = given.text.split('|').map((level) => level.trim());
    if (first === '' || second === '' || further.length > 0) return undefined;
    return second === undefined ? [first] : [first, second];
  },
};

function longerThan(value: string, maximum: number): boolean {
  // A character may take two code units: count only where it can matter.
  if (value.length <= maximum) return false;
  return value.length > 2 * maximum || [...value].length > maximum;
}
