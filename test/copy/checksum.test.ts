import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalText } from '../../src/copy/checksum.ts';
import type { Value } from '../../src/database/statement.ts';
import { fc } from '../support/seed.ts';

const TRICKY = ['', '~', '1;', '1:a', 'x00;', '2:~~', ';', ':'];
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 1, -1, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.constantFrom(...TRICKY),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 3 }),
);
const columns = ['a', 'b', 'c'];
const row = fc.record({ a: value, b: value, c: value });

const columnsOf = ({ a, b, c }: Record<'a' | 'b' | 'c', Value>): Value[] => [a, b, c];

it('different values never have the same text', () => {
  fc.assert(
    fc.property(row, row, (one, other) => {
      const isSame = JSON.stringify(columnsOf(one)) === JSON.stringify(columnsOf(other));
      assert.equal(canonicalText(columns, [one]) === canonicalText(columns, [other]), isSame);
    }),
    { numRuns: 5_000 },
  );
});

it('the same bytes have the same text, as a Buffer or a Uint8Array', () => {
  assert.equal(
    canonicalText(['a'], [{ a: Buffer.from([1, 254]) }]),
    canonicalText(['a'], [{ a: new Uint8Array([1, 254]) }]),
  );
});

it('0 and -0 have the same text, because no engine distinguishes them', () => {
  assert.equal(canonicalText(['a'], [{ a: -0 }]), canonicalText(['a'], [{ a: 0 }]));
});
