import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import type { Connection } from '../../src/database/database.ts';
import { lockMerchant } from '../../src/database/merchant-queries.ts';
import { GroupedTransactions } from '../../src/database/postgres/grouped-transactions.ts';
import type { Transaction } from '../../src/database/postgres/transaction.ts';
import { statement } from '../../src/database/statement.ts';
import { UNSET_AMOUNTS } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const listNames = statement<{ merchantId: number }, { name: string }>(
  'SELECT name FROM campaigns WHERE merchant_id = :merchantId ORDER BY name',
);
const failingStatement = statement<{ merchantId: number }, never>(
  'INSERT INTO merchant_counters (merchant_id, catalog_revision) VALUES (:merchantId, 0)',
);

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('transactions that share a commit fail alone, and the others are stored', async () => {
    const { database, now } = store();
    const merchants = [await store().newMerchant(), await store().newMerchant()];
    const expected = new Map(merchants.map(({ id }): [number, string[]] => [id, []]));
    const all = Array.from({ length: 60 }, async (_, number) => {
      const merchantId = merchants[number % 2]?.id ?? 0;
      const name = `No. ${String(number).padStart(2, '0')}`;
      const work = async (connection: Connection): Promise<string> => {
        await connection.run(lockMerchant, { merchantId });
        const context = { connection, merchantId, who: OPERATOR, now: now(), budget: null };
        await createCampaign(context, { name, type: 'T', ...UNSET_AMOUNTS });
        if (number % 7 === 0) throw new Error(`${name} fails`);
        if (number % 5 === 0) await connection.run(failingStatement, { merchantId });
        return name;
      };
      const result = database.transaction(work, { merchantId, locksMerchant: true });
      if (number % 7 === 0) await assert.rejects(result, new Error(`${name} fails`));
      else if (number % 5 === 0) await assert.rejects(result, /UNIQUE|unique/);
      else {
        assert.equal(await result, name);
        expected.get(merchantId)?.push(name);
      }
    });
    await Promise.all(all);
    for (const { id } of merchants) {
      const stored = await database.all(listNames, { merchantId: id });
      assert.deepEqual(
        stored.map(({ name }) => name),
        expected.get(id)?.toSorted(),
      );
    }
  });
});

/** Runs on no database: each attempt but the last fails at its end. */
function grouped(attempts: number): { groups: GroupedTransactions; commits: () => number } {
  const connection = {
    nested: (work: (nested: Connection) => Promise<void>) => work(connection),
  } as unknown as Transaction;
  let commits = 0;
  const groups = new GroupedTransactions(async (work) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await work(connection);
    }
    commits += 1;
  });
  return { groups, commits: () => commits };
}

it('transactions that wait together share a commit, and another merchant’s do not wait for them', async () => {
  const { groups, commits } = grouped(1);
  const results = [1, 1, 1, 1, 2].map((merchantId, index) =>
    groups.transaction(async () => index, merchantId),
  );
  assert.deepEqual(await Promise.all(results), [0, 1, 2, 3, 4]);
  assert.equal(commits(), 2);
});

it('when a group runs again, only the last attempt counts', async () => {
  const { groups } = grouped(2);
  const runs = [0, 0, 0];
  const [fails, recovers, succeeds] = [0, 1, 2].map((index) =>
    groups.transaction(async () => {
      runs[index] = (runs[index] ?? 0) + 1;
      if (index === 0 || (index === 1 && runs[index] === 1)) throw new Error('failed');
      return runs[index];
    }, 1),
  );
  await assert.rejects(fails ?? Promise.resolve(), /failed/);
  assert.deepEqual([await recovers, await succeeds], [2, 2]);
  assert.deepEqual(runs, [2, 2, 2]);
});

it('transactions fail if none can begin, and later ones may succeed', async () => {
  let isAway = true;
  const groups = new GroupedTransactions(async (work) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (isAway) throw new Error('away');
    await work({} as unknown as Transaction);
  });
  const failing = [1, 2].map(() => groups.transaction(async () => 'done', 1));
  for (const result of failing) await assert.rejects(result, /away/);
  isAway = false;
  assert.equal(await groups.transaction(async () => 'done', 1), 'done');
});
