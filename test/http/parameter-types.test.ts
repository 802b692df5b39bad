import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawParameter, RawParameterKind } from '../../src/http/parameters/raw-parameters.ts';
import {
  amount,
  boolean,
  categoryLevels,
  int32,
  oneOf,
  type ParameterType,
  text,
  wholeNumber,
} from '../../src/http/parameters/types.ts';
import { fc } from '../support/seed.ts';

const raw = (kind: RawParameterKind, value: string): RawParameter => ({ name: 'x', kind, text: value });
const KINDS = ['text', 'string', 'number', 'boolean'] as const;
const types: ParameterType<unknown>[] = [
  int32(1),
  amount,
  boolean,
  oneOf(['a', 'b']),
  text(3),
  categoryLevels,
];

it('every type reads any value without throwing, and describes the values that it expects', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom(...KINDS),
      fc.string({ unit: 'binary' }),
      (type, kind, value) => {
        assert.ok(type.expected.length > 0);
        type.read(raw(kind, value));
      },
    ),
  );
});

describe('int32', () => {
  it('reads every whole number in its range, with or without a sign and leading zeros, from text and from JSON', () => {
    const range = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(range, range, range, fc.constantFrom('', '0', '000'), (one, other, value, zeros) => {
        const [minimum, maximum] = [Math.min(one, other), Math.max(one, other)];
        const expected = value >= minimum && value <= maximum ? value : undefined;
        const digits = zeros + Math.abs(value);
        for (const sign of value < 0 ? ['-'] : ['', '+']) {
          assert.equal(int32(minimum, maximum).read(raw('text', sign + digits)), expected);
        }
        assert.equal(int32(minimum, maximum).read(raw('number', String(value))), expected);
      }),
    );
  });

  it('rejects numbers beyond 32 bits with any number of digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 31n, max: 10n ** 400n }), (value) => {
        assert.equal(int32(0).read(raw('text', String(value))), undefined);
        assert.equal(int32(0).read(raw('number', String(-value))), undefined);
      }),
    );
  });

  it('rejects text with anything but a sign and digits', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        fc.pre(!/^[+-]?\d+$/.test(value));
        assert.equal(int32(-(2 ** 31)).read(raw('text', value)), undefined);
      }),
    );
  });
});

describe('wholeNumber', () => {
  it('reads what int32 reads, also with a fraction of zero, and no other fraction', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        fc.stringMatching(/^\d{1,3}$/),
        (value, digits) => {
          const { read } = wholeNumber(-(2 ** 31));
          assert.equal(read(raw('text', String(value))), value);
          const expected = /^0+$/.test(digits) ? value : undefined;
          for (const kind of ['text', 'number'] as const)
            assert.equal(read(raw(kind, `${value}.${digits}`)), expected);
          assert.equal(int32(-(2 ** 31)).read(raw('text', `${value}.${digits}`)), undefined);
        },
      ),
    );
    for (const text of ['1.', '.0', '1e0', '1.0e0', '0x1'])
      assert.equal(wholeNumber(0).read(raw('text', text)), undefined);
  });
});

describe('amount', () => {
  it('reads every finite double from 0 in the notation of JSON', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom('text', 'string', 'number'),
        (value, kind) => {
          assert.equal(amount.read(raw(kind, JSON.stringify(value))), value + 0);
        },
      ),
    );
  });

  it('accepts exactly the text that is a JSON number', () => {
    const numberLike = fc.stringMatching(/^[-+]?[0-9]{0,3}\.?[0-9]{0,2}([eE][-+]?[0-9]{0,2})?$/);
    fc.assert(
      fc.property(numberLike, (value) => {
        let expected: number | undefined;
        try {
          const parsed: unknown = JSON.parse(value);
          expected = typeof parsed === 'number' && parsed >= 0 ? parsed : undefined;
        } catch {
          expected = undefined;
        }
        assert.equal(amount.read(raw('text', value)), expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('rejects negative and infinite numbers and booleans', () => {
    for (const value of ['-1', '-5e-324', '1e309', '-1e309'])
      assert.equal(amount.read(raw('number', value)), undefined);
    assert.equal(amount.read(raw('boolean', 'true')), undefined);
  });
});

describe('boolean', () => {
  it('reads true, false, 1 and 0 in any letter case', () => {
    fc.assert(
      fc.property(
        fc.mixedCase(fc.constantFrom('true', 'false', '1', '0')),
        fc.constantFrom(...KINDS),
        (word, kind) => {
          assert.equal(boolean.read(raw(kind, word)), ['true', '1'].includes(word.toLowerCase()));
        },
      ),
    );
  });
});

describe('text', () => {
  it('counts characters, not UTF-16 units', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 9 }),
        (characters) => {
          const value = characters.join('');
          const expected = [...value].length <= 5 ? value : undefined;
          assert.equal(text(5).read(raw('string', value)), expected);
        },
      ),
    );
  });

  it('rejects JSON numbers and booleans', () => {
    assert.equal(text(5).read(raw('number', '5')), undefined);
    assert.equal(text(5).read(raw('boolean', 'true')), undefined);
  });
});

describe('categoryLevels', () => {
  it('returns one or two levels, trimmed, and rejects any other number of levels', () => {
    const level = fc.stringMatching(/^[^|]*$/).filter((value) => value.trim() !== '');
    const gap = fc.constantFrom('', ' ', '  \t');
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, level, gap), { minLength: 1, maxLength: 4 }), (parts) => {
        const levels = parts.map(([, name]) => name.trim());
        const read = categoryLevels.read(raw('text', parts.map((part) => part.join('')).join('|')));
        assert.deepEqual(read, levels.length <= 2 ? levels : undefined);
      }),
    );
  });
});
