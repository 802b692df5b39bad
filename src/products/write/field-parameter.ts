import type { ValueReader } from '../../files/value-readers.ts';
import { type ParameterType, WHOLE_NUMBER } from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import type { FieldKind } from '../record/product.ts';

const TEXTS: readonly FieldKind[] = ['identifier', 'status', 'category', 'text', 'time'];

const WHOLE: readonly FieldKind[] = ['assigned', 'count', 'sum'];

const expectations: Record<FieldKind, string> = {
  identifier: 'an identifier',
  assigned: 'a whole number',
  status: 'a status',
  category: 'category levels, separated by |',
  text: 'text',
  amount: 'a number that is 0 or more, such as 12.5',
  rating: 'a number that is 0 or more, such as 4.5',
  count: 'a whole number that is 0 or more',
  sum: 'a whole number that is 0 or more',
  time: 'an RFC 3339 time',
  variations: 'variations',
};

/** A record's field, read by the same rules as a cell of a file. */
export function fieldParameter<T>(kind: FieldKind, reader: ValueReader<T>, schema: Schema): ParameterType<T> {
  return {
    expected: expectations[kind],
    schema,
    read: (parameter) => {
      const isText = parameter.kind === 'text' || parameter.kind === 'string';
      if (!isText && (TEXTS.includes(kind) || parameter.kind === 'boolean')) return undefined;
      // As for all whole numbers of writes: 2.0 and +2 are valid, and 2e0 is not.
      if (WHOLE.includes(kind) && !WHOLE_NUMBER.test(parameter.text)) return undefined;
      const value = reader.fromCell(parameter.text.replace(/^\+(?=\d)/, WHOLE.includes(kind) ? '' : '+'));
      return value;
    },
  };
}

const description = 'Not supported: only a blank value is accepted.';

const unsupported: ParameterType<never> = {
  expected: 'no value, because it is not supported',
  schema: { type: 'string', maxLength: 0, deprecated: true, description },
  read: () => new InvalidValue('not supported'),
};

/** A parameter of other versions of the API that has no meaning here. */
export const unsupportedParameter = { type: unsupported, description };

/** The words for “no” that published clients send for a flag without a meaning here. */
const NO = ['No', 'false', '0'] as const;

/** Each word for “no” counts as blank. */
const unsupportedFlag: ParameterType<false> = {
  ...unsupported,
  schema: { type: 'string', enum: ['', ...NO], deprecated: true, description },
  read: ({ text }) => (NO.some((word) => word === text) ? false : new InvalidValue('not supported')),
};

/** Like `unsupportedParameter`, for a flag. */
export const unsupportedFlagParameter = { ...unsupportedParameter, type: unsupportedFlag };
