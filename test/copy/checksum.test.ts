import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { canonicalText } from '../../src/copy/checksum.ts';
import type { Value } from '../../src/database/database.ts';

const TRICKY = ['', '~', '1;', '1:a', 'x00;', '2:~~', ';', ':'];
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 1, -1, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.constantFrom(...TRICKY),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 3 }),
);
const row = fc.array(value, { minLength: 3, maxLength: 3 });

it('different values never have the same text', () => {
  fc.assert(
    fc.property(row, row, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      assert.equal(canonicalText([one]) === canonicalText([other]), isSame);
    }),
    { numRuns: 5_000 },
  );
});

it('the same bytes have the same text, whichever engine gave them', () => {
  assert.equal(canonicalText([[Buffer.from([1, 254])]]), canonicalText([[new Uint8Array([1, 254])]]));
});

it('both zeros have the same text, as no engine tells them apart', () => {
  assert.equal(canonicalText([[-0]]), canonicalText([[0]]));
});
