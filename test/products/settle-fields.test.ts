import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ValueChange } from '../../src/products/record/product-diff.ts';
import { settleFields, type Touch } from '../../src/products/undo/settle-fields.ts';
import { fc } from '../support/seed.ts';

const NAMES = ['title', 'brand', 'buy_now_price'];

interface Write {
  isOwn: boolean;
  values: Record<string, number>;
}

const write = fc.record({
  isOwn: fc.boolean(),
  values: fc.dictionary(fc.constantFrom(...NAMES), fc.nat({ max: 3 }), { maxKeys: 3 }),
});

/** Returns the values after some writes. All are 0 before. */
function replay(writes: readonly Write[]): Record<string, number> {
  return Object.assign(
    Object.fromEntries(NAMES.map((name) => [name, 0])),
    ...writes.map(({ values }) => values),
  );
}

/** Returns what the history records, newest first: only values that change something. */
function touchesOf(writes: readonly Write[]): { touches: Touch[]; recorded: Write[] } {
  const present = replay([]);
  const recorded = writes.map(({ isOwn, values }) => ({
    isOwn,
    values: Object.fromEntries(
      Object.entries(values).filter(([name, value]) => {
        const isChange = present[name] !== value;
        present[name] = value;
        return isChange;
      }),
    ),
  }));
  const states = recorded.map((_, index) => replay(recorded.slice(0, index)));
  const touches = recorded.map(({ isOwn, values }, index): Touch => {
    const fields = Object.entries(values).map(([name, value]): [string, ValueChange] => [
      name,
      [states[index]?.[name] ?? null, value],
    ]);
    return { isOwn, diff: { fields: Object.fromEntries(fields) } };
  });
  return { touches: touches.reverse(), recorded };
}

it('each field returns to its value in the history without the undone change, or stays if another change set it last', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
      const { touches, recorded } = touchesOf(writes);
      const present = replay(recorded);
      const without = replay(recorded.filter(({ isOwn }) => !isOwn));
      const { returning, kept } = settleFields(touches);
      const result = { ...present };
      for (const { name, former, present: value } of returning) {
        assert.equal(value, present[name]);
        result[name] = Number(former);
      }
      assert.deepEqual(result, without);
      for (const { name, set, present: value } of kept) {
        const setters = recorded.filter(({ values }) => name in values);
        assert.equal(setters.at(-1)?.isOwn, false);
        assert.equal(value, present[name]);
        assert.ok(setters.some(({ isOwn, values }) => isOwn && values[name] === set));
      }
    }),
    { numRuns: 2_000 },
  );
});
