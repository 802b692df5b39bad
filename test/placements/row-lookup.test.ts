import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NONE } from '../../src/placements/competition/ordered-trees.ts';
import { RowLookup } from '../../src/placements/competition/row-lookup.ts';
import { newRandom } from '../support/seed.ts';

const STEPS = 60_000;
const MERCHANTS = 20;

it('finds exactly the rows that were added and not removed, also while it grows', () => {
  const random = newRandom();
  const merchantOf: number[] = [];
  const productOf: number[] = [];
  const lookup = new RowLookup(
    (row) => merchantOf[row] ?? NONE,
    (row) => productOf[row] ?? NONE,
  );
  const rows = new Map<string, number>();
  for (let step = 0; step < STEPS; step++) {
    const merchant = random.whole(1, MERCHANTS);
    const product = random.whole(1, STEPS / MERCHANTS);
    const name = `${merchant} ${product}`;
    const row = rows.get(name);
    assert.equal(lookup.find(merchant, product), row ?? NONE, `step ${step}`);
    // It grows most of the time, and shrinks now and then.
    const isShrinking = step % 1_000 > 800;
    if (row === undefined && !isShrinking) {
      const added = merchantOf.length;
      merchantOf.push(merchant);
      productOf.push(product);
      lookup.add(added);
      rows.set(name, added);
    } else if (row !== undefined && (isShrinking || random.chance(0.1))) {
      lookup.remove(row);
      rows.delete(name);
    }
  }
  assert.ok(rows.size > 1_000);
  for (const [name, row] of rows) {
    const [merchant = '', product = ''] = name.split(' ');
    assert.equal(lookup.find(Number(merchant), Number(product)), row);
  }
});
