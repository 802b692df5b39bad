import type { Schema } from '../../src/http/schema.ts';
import { ORDER_IDS_PATTERN, WEB_URL_PATTERN } from '../../src/orders/order-parameters.ts';
import { IDENTIFIER_PATTERN } from '../../src/products/record/product-schema.ts';
import { fc } from '../support/seed.ts';

/** Without NUL, and not blank, because blank means missing. */
const isSendable = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

/** Valid and invalid values at and around a schema's limits, without alternative spellings. */
export function valuesNear(schema: Schema): fc.Arbitrary<string | number | boolean> {
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
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
    case undefined:
      return fc.oneof(fc.integer(), fc.boolean(), fc.string().filter(isSendable));
    default:
      throw new Error(`unsupported type ${String(type)}`);
  }
}

function nearInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER - 1 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1),
    fc.integer({ min: minimum, max: maximum }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
  );
}

const times = [
  '2026-01-31T23:59:59Z',
  '2026-01-31T23:59:59.250Z',
  '2026-01-31',
  '2026-02-31T00:00:00Z',
  'now',
];
const days = ['2026-01-31', '2024-02-29', '2026-02-29', '2026-1-31', '2026-01-31T00:00:00Z', 'today'];
const identifiers = [
  'a',
  'É-1_b',
  'a b',
  ' a',
  'a ',
  'a.b',
  'a/b',
  '_',
  '-',
  '🏺',
  '.',
  '..',
  '...',
  '.a',
  'a.',
];

function nearText({ enum: listed, format, maxLength, pattern }: Schema): fc.Arbitrary<string> {
  const words = listed?.filter((word) => word !== null);
  if (format === 'date-time') return fc.oneof(fc.constantFrom(...times), fc.string().filter(isSendable));
  if (format === 'date') return fc.oneof(fc.constantFrom(...days), fc.string().filter(isSendable));
  if (words !== undefined) {
    const almost = fc.constantFrom(...words).map((word) => `${word}s`);
    return fc.oneof(
      fc.constantFrom(...words),
      fc.mixedCase(fc.constantFrom(...words)),
      almost,
      fc.string().filter(isSendable),
    );
  }
  if (pattern === IDENTIFIER_PATTERN) {
    const long = [99, 100, 101].map((length) => 'ä'.repeat(length));
    return fc.oneof(
      fc.constantFrom(...identifiers, ...long),
      fc.string({ unit: 'binary' }).filter(isSendable),
    );
  }
  if (pattern === ORDER_IDS_PATTERN) {
    const id = fc.constantFrom('0', '1', ' 4711', '2147483648', '9999999999', '10000000000', '', '-1', '1.0');
    const ids = fc.array(id, { minLength: 1, maxLength: 4 }).map((each) => each.join(','));
    const long = [100, 101].map((length) => Array(length).fill('7').join(','));
    return fc.oneof(ids, fc.constantFrom(...long), fc.string()).filter(isSendable);
  }
  if (pattern === WEB_URL_PATTERN) {
    const long = [1999, 2000, 2001].map((length) => 'https://é/'.padEnd(length, 'x'));
    const urls = ['http://a', 'https://a.example/x?y=1#z', 'https://', 'https://a b', 'ftp://a', 'HTTPS://a'];
    return fc.oneof(fc.constantFrom(...urls, ...long), fc.string().filter(isSendable));
  }
  if (maxLength !== undefined && pattern?.includes('|') !== true) {
    // One repeated character, because drawing a thousand would block the service in this process.
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(isSendable);
    const lengths = [1, maxLength - 1, maxLength, maxLength + 1].filter((length) => length > 0);
    const length = fc.constantFrom(...lengths);
    return fc.tuple(character, length).map(([one, times]) => one.repeat(times));
  }
  if (pattern?.includes('|') !== true) throw new Error(`unsupported pattern ${pattern}`);
  // Only the categories of records have a limit.
  const isLimited = maxLength !== undefined;
  const long = isLimited ? [255, 256].map((length) => '🏺'.repeat(length)) : [];
  const level = fc.constantFrom('Home', 'é 🏺', ' a ', 'a >b', ...(isLimited ? ['a > b'] : []), ...long);
  const blank = fc.constantFrom('\t', '');
  const levels = fc.oneof({ weight: 9, arbitrary: level }, { weight: 1, arbitrary: blank });
  return fc
    .array(levels, { minLength: 1, maxLength: isLimited ? 12 : 4, size: 'max' })
    .map((levels) => levels.join('|'))
    .filter(isSendable);
}
