import type { Random } from '../../../src/demo/random.ts';
import type { Schema } from '../../../src/http/schema.ts';

/** Text, or a value that only JSON can express. */
export type Value = string | number | boolean | null | object;

const TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    '\0',
    'a\0b',
    '\r\n',
    '\u{feff}',
    '\u{202e}abc',
    'é',
    '👩‍👩‍👧',
    '\ud800',
    '٣',
    '１',
    'İ',
    'ß',
  ],
  ...['null', 'undefined', 'NaN', 'Infinity', '-Infinity', 'true', 'FALSE', 'yes', '[object Object]'],
  ...[
    '0',
    '-0',
    '+1',
    '01',
    '1.0',
    '1e3',
    '1e400',
    '-1e400',
    '5e-324',
    '0x10',
    '0b1',
    '1_000',
    '1,5',
    '.5',
    '5.',
  ],
  ...['2147483647', '2147483648', '-2147483649', '9007199254740993', '9'.repeat(400)],
  ...[
    "' OR '1'='1",
    "'; DROP TABLE products;--",
    '1 UNION SELECT * FROM api_tokens',
    '%',
    '_',
    '\\',
    '"',
    '`',
  ],
  ...[
    '../../../etc/passwd',
    '..\\..',
    'file:///etc/passwd',
    '$' + '{7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...['{}', '[]', '{"a":1}', '[1,2]', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...[
    'Home|Kitchen',
    'a|b|c',
    '|',
    '||',
    ' | ',
    'a|',
    '(a+)+$',
    'x'.repeat(255),
    'x'.repeat(256),
    'é'.repeat(1_001),
  ],
] as const;
const ODD_VALUES: readonly [Value, ...Value[]] = [
  ...([null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 31, 2 ** 53] as const),
  ...[[], {}, [1], ['a', ['b']], { a: { b: { c: 1 } } }, [[[[[[]]]]]], { length: 1 }, { toString: 'x' }],
];

/** Valid, almost valid, or of a different kind. */
export function anyValue(schema: Schema, random: Random): Value {
  const kind = random.next();
  if (kind < 0.65) return validValue(schema, random);
  if (kind < 0.8) return almostValidValue(schema, random);
  if (kind < 0.95) return anyText(random);
  return random.pick(ODD_VALUES);
}

/** A known problematic string, or a random one. */
export function anyText(random: Random): string {
  if (random.chance(0.6)) return random.pick([...TEXTS]);
  const length = random.chance(0.05) ? random.whole(100, 4_000) : random.whole(0, 20);
  const top = random.pick([0x7f, 0xff, 0xffff, 0x10ffff]);
  let text = '';
  for (let index = 0; index < length; index += 1) text += String.fromCodePoint(random.whole(0, top));
  return text;
}

function validValue(
  { type, enum: words, minimum = 0, maximum, maxLength = 20 }: Schema,
  random: Random,
): Value {
  const [first, ...others] = words ?? [];
  if (first !== undefined) return random.pick([first, ...others]);
  switch (type) {
    case 'integer':
      return random.whole(minimum, Math.min(maximum ?? 50, minimum + 50));
    case 'number':
      return random.chance(0.5) ? random.whole(0, 1_000) / 100 : random.next() * 10 ** random.whole(-8, 12);
    case 'boolean':
      return random.pick([true, false, 'true', 'FALSE', '1', '0']);
    default:
      return random.chance(0.3)
        ? random.pick(['Home', 'Home | Kitchen', 'Garden|Tools'])
        : String(random.whole(0, 1e9)).slice(0, maxLength);
  }
}

function almostValidValue({ type, enum: words, minimum, maximum, maxLength }: Schema, random: Random): Value {
  const [first, ...others] = words ?? [];
  if (first !== undefined) {
    const word = String(random.pick([first, ...others]));
    return random.pick([`${word}s`, word.toUpperCase(), ` ${word} `, word.slice(1), `${word}\0`]);
  }
  if (type === 'integer' || type === 'number') {
    const [low, high] = [minimum ?? 0, maximum ?? 2 ** 31 - 1];
    return random.pick([low - 1, low, low + 0.5, high, high + 1, `${low}`, ` ${low}`, `${high}.0`, -high]);
  }
  if (type === 'boolean') return random.pick(['truee', 'tru', 2, -1, 'on', 'off', '00']);
  const length = Math.max(0, (maxLength ?? 100) + random.whole(-1, 1));
  return random.pick(['x', 'é', ' ', '👍']).repeat(length);
}
