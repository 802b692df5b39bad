import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDuration } from '../../src/shared/duration.ts';
import { jittered } from '../../src/shared/jitter.ts';
import { JSON_NUMBER, ratioHalfUp } from '../../src/shared/numbers.ts';
import { rangeBounds } from '../../src/shared/range-bounds.ts';
import { Tally } from '../../src/shared/tally.ts';
import { fc } from '../support/seed.ts';

describe('numbers', () => {
  it('a ratio is the nearest decimal, and halves are rounded up', () => {
    assert.equal(ratioHalfUp(1, 8, 2), 0.13);
    assert.equal(ratioHalfUp(1005, 1000, 2), 1.01);
    assert.equal(ratioHalfUp(0, 7, 2), 0);
    const whole = fc.nat({ max: 10 ** 9 });
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: 0, max: 4 }), (numerator, lessOne, decimals) => {
        const denominator = lessOne + 1;
        const scale = 10 ** decimals;
        const units = BigInt(Math.round(ratioHalfUp(numerator, denominator, decimals) * scale));
        // units / scale - numerator / denominator, times 2 * scale * denominator.
        const twiceError = 2n * units * BigInt(denominator) - 2n * BigInt(numerator) * BigInt(scale);
        assert.ok(twiceError > -BigInt(denominator) && twiceError <= BigInt(denominator));
      }),
    );
  });

  it('the syntax of JSON numbers accepts what JSON.parse accepts as a number', () => {
    const anyText = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.string({ unit: fc.constantFrom(...'0123456789+-.eE'), maxLength: 8 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        let isNumber: boolean;
        try {
          isNumber = typeof JSON.parse(text) === 'number';
        } catch {
          isNumber = false;
        }
        assert.equal(JSON_NUMBER.test(text), isNumber, text);
      }),
    );
  });

  it('the bounds of ranges ascend by about the same factor', () => {
    assert.deepEqual(rangeBounds.slice(0, 5), [1, 2, 5, 10, 20]);
    assert.equal(rangeBounds.at(-1), 5_000_000);
    assert.deepEqual(
      [...rangeBounds],
      rangeBounds.toSorted((one, other) => one - other),
    );
  });

  it('a duration is a whole number of seconds, minutes, hours or days above 0', () => {
    for (const [text, milliseconds] of [
      ['45s', 45_000],
      ['30m', 1_800_000],
      ['12h', 43_200_000],
      ['90d', 7_776_000_000],
    ] as const)
      assert.equal(readDuration(text), milliseconds);
    for (const text of ['', '0d', '90', 'd', '1.5h', '-1h', '1w', '1h ', '1234567s', '1h30m'])
      assert.equal(readDuration(text), undefined, text);
  });

  it('jitter changes a delay by at most a tenth', () => {
    assert.equal(jittered(1000, 0.5), 1000);
    const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(), anyRandom, (delay, random) => {
        const found = jittered(delay, random);
        assert.ok(found >= delay * 0.899 && found <= delay * 1.101, `${found} for ${delay}`);
      }),
    );
  });

  it('a tally counts by key, and never below 0', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -5, max: 5 })));
    fc.assert(
      fc.property(steps, (changes) => {
        const tally = new Tally<string>();
        const expected: Record<string, number> = { a: 0, b: 0 };
        for (const [key, change] of changes) {
          if (change < 0) tally.subtract(key, -change);
          else tally.add(key, change);
          expected[key] = Math.max(0, (expected[key] ?? 0) + change);
          assert.deepEqual({ a: tally.of('a'), b: tally.of('b') }, expected);
        }
      }),
    );
  });
});
