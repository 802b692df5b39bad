import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const store = useDatabase(sqlite);

it('a merchant’s write waits for at most one write of each other merchant, however many these have sent', async () => {
  const order: number[] = [];
  const write = (merchantId: number): Promise<void> =>
    store().database.transaction(
      async () => {
        order.push(merchantId);
      },
      { merchantId },
    );
  const sent = Promise.withResolvers<void>();
  const first = store().database.transaction(() => sent.promise, { merchantId: 9 });
  const writes = [...Array(50).fill(1), ...Array(50).fill(-1), ...Array(50).fill(3), 2, 2].map(write);
  sent.resolve();
  await Promise.all([first, ...writes]);
  assert.equal(order.length, 152);
  // Both sides of a merchant share its turns.
  assert(order.indexOf(2) <= 2, String(order));
  assert(order.lastIndexOf(2) <= 5, String(order));
  assert.deepEqual(
    order.filter((merchantId) => Math.abs(merchantId) === 1),
    [...Array(50).fill(1), ...Array(50).fill(-1)],
  );
});
