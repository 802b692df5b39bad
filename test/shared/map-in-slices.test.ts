import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mapInSlices } from '../../src/shared/map-in-slices.ts';

it('maps items in order, and lets other work run in between', async () => {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 0);
  const items = Array.from({ length: 20 }, (_, index) => index);
  const mapped = await mapInSlices(items, (item) => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < 10);
    return item * 2;
  });
  clearInterval(ticking);
  assert.deepEqual(
    mapped,
    items.map((item) => item * 2),
  );
  assert.ok(turns >= 10, `${turns} turns`);
});
