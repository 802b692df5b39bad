import assert from 'node:assert/strict';
import { it } from 'node:test';
import { axisTicks, multiples } from '../../web/ui/axis-ticks.ts';
import { fc } from '../support/seed.ts';

it('ticks begin at 0, reach the maximum, and have round steps', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e9, noNaN: true }), (max) => {
      const { ticks, intervals } = axisTicks(max);
      const step = ticks[1] ?? 0;
      assert.equal(ticks.length, intervals + 1);
      assert.equal(ticks[0], 0);
      assert.ok((ticks.at(-1) ?? 0) >= max * 0.999_999, `${ticks} for ${max}`);
      assert.ok((ticks.at(-1) ?? 0) <= max * 2.000_001, `${ticks} for ${max}`);
      assert.match(step.toExponential(), /^[125]e/);
    }),
  );
});

it('known maxima have the expected ticks', () => {
  for (const [max, minStep, ticks] of [
    [28_000, 0, [0, 10_000, 20_000, 30_000, 40_000]],
    [52, 0, [0, 20, 40, 60, 80]],
    [0.3, 0, [0, 0.1, 0.2, 0.3, 0.4]],
    [1, 1, [0, 1, 2, 3, 4]],
    [0, 1, [0, 1, 2, 3, 4]],
    [0, 0, [0, 1, 2, 3, 4]],
  ] as const) {
    assert.deepEqual(axisTicks(max, minStep).ticks, ticks, String(max));
  }
  assert.deepEqual(multiples(0.2, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
});
