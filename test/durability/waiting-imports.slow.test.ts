import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../src/database/database.ts';
import { lockMerchant } from '../../src/database/merchant-queries.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { postgres } from '../support/engines.ts';
import { TestDatabase } from '../support/test-database.ts';

/** Longer than a request waits for a response of the database. */
const LONG_MS = 11_000;

it('an import waits for another import of the same merchant longer than a request would', async (t) => {
  const shop = await TestDatabase.open(postgres);
  t.after(() => shop.close());
  const merchant = await shop.newMerchant();
  const locked = Promise.withResolvers<void>();
  const work = async (connection: Connection) => {
    await connection.run(lockMerchant, { merchantId: merchant.id });
    locked.resolve();
    await pause(LONG_MS);
  };
  const other = shop.database.transaction(work, { longRunning: true });
  await locked.promise;
  const { created } = await importDrafts(shop, merchant, [[draft('POT-1')]]);
  await other;
  assert.equal(created, 1);
});
