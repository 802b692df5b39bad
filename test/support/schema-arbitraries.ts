import type { Schema } from '../../src/http/schema.ts';
import { fc } from './seed.ts';

/** Whether text can be sent as a value: without NUL, and not blank, because blank means missing. */
const isSendable = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

/**
 * Returns values at and around the limits of a parameter's schema, valid and invalid ones. Alternative spellings of
 * valid values are not among them, because the service accepts those too.
 */
export function valuesNear(schema: Schema): fc.Arbitrary<string | number | boolean> {
  switch (schema.type) {
    case 'integer':
      return nearInteger(schema);
    case 'number':
      return fc.oneof(
        fc.constantFrom(0, -1, -5e-324, 5e-324, Number.MAX_VALUE),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'boolean': {
      const others = fc.string().filter((text) => isSendable(text) && !/^(true|false|[01])$/i.test(text));
      return fc.oneof(fc.boolean(), others, fc.constantFrom('yes', 'truee', '2', 2));
    }
    case 'string':
      return nearText(schema);
    default:
      throw new Error(`unsupported type ${String(schema.type)}`);
  }
}

function nearInteger({ minimum = 0, maximum = 0 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1),
    fc.integer({ min: minimum, max: maximum }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
  );
}

function nearText({ enum: words, maxLength, pattern }: Schema): fc.Arbitrary<string> {
  if (words !== undefined) {
    const almost = fc.constantFrom(...words).map((word) => `${word}s`);
    return fc.oneof(
      fc.constantFrom(...words),
      fc.mixedCase(fc.constantFrom(...words)),
      almost,
      fc.string().filter(isSendable),
    );
  }
  if (maxLength !== undefined) {
    // One repeated character, because drawing a thousand would block the service in this process.
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(isSendable);
    const length = fc.constantFrom(1, maxLength - 1, maxLength, maxLength + 1);
    return fc.tuple(character, length).map(([one, times]) => one.repeat(times));
  }
  if (pattern?.includes('|') !== true) throw new Error(`unsupported pattern ${pattern}`);
  const level = fc.constantFrom('Home', 'é 🏺', ' a ', '\t', '');
  return fc
    .array(level, { minLength: 1, maxLength: 4, size: 'max' })
    .map((levels) => levels.join('|'))
    .filter(isSendable);
}
