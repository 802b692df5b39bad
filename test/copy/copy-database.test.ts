import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { isEqual } from '../../src/copy/compare.ts';
import { type CopySource, copyDatabase, type Progress } from '../../src/copy/copy-database.ts';
import { CopyStopped, namingSide } from '../../src/copy/copy-stopped.ts';
import { openSource, openTarget, parseLocation } from '../../src/copy/location.ts';
import { pagesOf } from '../../src/copy/pages.ts';
import { readColumns, tables } from '../../src/copy/tables.ts';
import { type Database, DatabaseUnavailable, type Reader, statement } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import {
  assertCopied,
  directions,
  fillMerchant,
  newCopyDatabase,
  openCopyDatabase,
  readTables,
  wildDrafts,
} from '../support/copies.ts';
import type { Engine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';

const waiting = { waitMs: 0, onWaiting: () => {} };
const silent: Progress = { onBegin: () => {}, onRows: () => {}, onTable: () => {} };

const copy = (source: CopySource, target: Database, progress: Partial<Progress> = {}) =>
  copyDatabase(source, target, { now: Date.now(), progress: { ...silent, ...progress } });

/** Opens databases as `tradepost copy` does. The source has merchants with these names. */
async function newSides(
  t: TestContext,
  { from, to }: { from: Engine; to: Engine },
  names = ['Acme', 'Other'],
) {
  const sides = { from: await newCopyDatabase(t, from), to: await newCopyDatabase(t, to) };
  const database = await openCopyDatabase(t, sides.from);
  const services = { database, now: Date.now };
  for (const [index, name] of names.entries())
    await fillMerchant(services, name, { seed: 10 * names.length + index });
  const source = await openSource(parseLocation(sides.from.address), waiting);
  t.after(() => source.close());
  const target = await openTarget(parseLocation(sides.to.address), waiting);
  t.after(() => target.close());
  return { sides, services, database, source, target };
}

/** Runs `meanwhile` before its read with this number. */
function interrupted(source: CopySource, read: number, meanwhile: () => Promise<void>): CopySource {
  let reads = 0;
  const before = async (): Promise<void> => {
    reads += 1;
    if (reads === read) await meanwhile();
  };
  const wrap = (reader: Reader): Reader => ({
    all: async (statement, ...parameters) => {
      await before();
      return await reader.all(statement, ...parameters);
    },
    first: (statement, ...parameters) => reader.first(statement, ...parameters),
  });
  return { ...source, snapshot: (work) => source.snapshot((reader) => work(wrap(reader))) };
}

class CutOff extends Error {}

function cutOffAfter(rows: number): Partial<Progress> {
  let left = rows;
  return {
    onRows: (some) => {
      left -= some;
      if (left <= 0) throw new CutOff();
    },
  };
}

function cutOffAt(last: string): Partial<Progress> {
  return {
    onTable: ({ table }) => {
      if (table.name === last) throw new CutOff();
    },
  };
}

const budgets = {
  daily_budget: 0.1,
  bid_amount: undefined,
  daily_budget_per_product: 1e15,
  lifetime_budget: undefined,
  lifetime_budget_per_product: 5,
};

it('only errors of a database or its engine stop a copy as one; others are passed on', async () => {
  const stopped = new Error('disk I/O error');
  const bugs = [new Error('bug'), new TypeError('bug'), 'bug'];
  const named = (error: unknown) =>
    namingSide('--to', () => {
      throw error;
    });
  for (const code of ['ERR_SQLITE_ERROR', '23505']) {
    const message = '--to: disk I/O error.';
    await assert.rejects(named(Object.assign(stopped, { code })), { name: 'CopyStopped', message });
  }
  for (const code of ['ERR_INVALID_ARG_TYPE', 5]) bugs.push(Object.assign(new Error('bug'), { code }));
  for (const bug of bugs) {
    await assert.rejects(named(bug), (error) => error === bug);
  }
});

for (const direction of directions) {
  describe(`from ${direction.from.name} to ${direction.to.name}`, () => {
    it('everything is copied, and each row that is read is written', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      const results = await copy(source, target);
      assert.ok(results.every(isEqual));
      assert.deepEqual(
        results.map(({ table }) => table.name),
        tables.map(({ name }) => name),
      );
      const contents = await readTables(database);
      for (const { table, source: read, written } of results) {
        assert.deepEqual([read.rows, written], [contents[table.name]?.length, read.rows], table.name);
      }
      await assertCopied(database, await openCopyDatabase(t, sides.to));
    });

    it('each row is reported twice: when it is copied and when it is compared', async (t) => {
      const { database, source, target } = await newSides(t, direction);
      const reports: number[] = [];
      let announced = 0;
      const onBegin = (rows: number): void => {
        announced = rows;
      };
      await copy(source, target, { onBegin, onRows: (rows) => reports.push(rows) });
      const rows = Object.values(await readTables(database)).reduce((sum, table) => sum + table.length, 0);
      assert.ok(rows > 0);
      assert.deepEqual([announced, reports.reduce((sum, some) => sum + some, 0)], [2 * rows, 2 * rows]);
    });

    it('a copy is a snapshot, even if the source changes meanwhile', async (t) => {
      const { services, database, source, target } = await newSides(t, direction);
      const before = await readTables(database);
      const busy = interrupted(source, 12, async () => {
        await importDrafts(services, { id: 1 }, [[draft('new'), ...wildDrafts(60, 9)]]);
        await fillMerchant(services, 'Third', { seed: 3 });
      });
      assert.ok((await copy(busy, target)).every(isEqual));
      assert.notDeepEqual(await readTables(database), before);
      assert.deepEqual(await readTables(target), before);
    });

    it('a copy that is cut off repeatedly can be continued until it equals its source', async (t) => {
      const { sides, services, database, source, target } = await newSides(t, direction);
      const random = newRandom();
      for (let round = 1; round <= 6; round += 1) {
        await assert.rejects(copy(source, target, cutOffAfter(random.whole(0, 599))), CutOff);
        await assert.rejects(openCopyDatabase(t, sides.to), {
          message: /^The database contains an unfinished copy\. Run /,
        });
        await importDrafts(services, { id: 1 }, [wildDrafts(10, 100 + round)]);
        await fillMerchant(services, `Further ${round}`, { products: 10, seed: round });
      }
      const results = await copy(source, target);
      assert.ok(results.every(isEqual));
      await assertCopied(database, await openCopyDatabase(t, sides.to));
    });

    it('rows that an earlier run copied are not written again', async (t) => {
      const { services, database, source, target } = await newSides(t, direction);
      await assert.rejects(copy(source, target, cutOffAt('access_tokens')), CutOff);
      await services.database.transaction((connection) =>
        createCampaign(
          connection,
          { merchantId: 1, who: 'operator', now: Date.now() },
          { ...budgets, name: 'Late', type: 'AuctionCampaign' },
        ),
      );
      const written = (await copy(source, target)).filter((result) => result.written > 0);
      assert.deepEqual(
        written.map(({ table }) => table.name),
        ['campaigns', 'audit_entries', 'outbox'],
      );
      await assertCopied(database, target);
    });

    it('a copy that was cut off can be continued from another source with other names and IDs', async (t) => {
      const one = await newSides(t, direction, ['Acme', 'Other', 'Third']);
      const other = await newSides(t, direction, ['Other', 'Acme']);
      // More than one batch, so that a name is copied before the target's row that still has it.
      const drafts = Array.from({ length: 2500 }, (_, index) => draft(`product ${index}`));
      await importDrafts(one.services, { id: 1 }, [drafts]);
      await importDrafts(other.services, { id: 1 }, [drafts.toReversed()]);
      await assert.rejects(copy(one.source, one.target, cutOffAt('sales_months')), CutOff);
      assert.ok((await copy(other.source, one.target)).every(isEqual));
      await assertCopied(other.database, one.target);
    });

    it('a copy stops when a later one into the same database starts or finishes', async (t) => {
      const { source, target } = await newSides(t, direction);
      const started = interrupted(source, 12, () =>
        assert.rejects(copy(source, target, cutOffAfter(1)), CutOff),
      );
      const finished = interrupted(source, 12, async () => void (await copy(source, target)));
      for (const earlier of [started, finished]) {
        await assert.rejects(copy(earlier, target), (error) => {
          assert(error instanceof CopyStopped);
          assert.equal(
            error.message,
            '--to: Another copy into this database started later, so this one stopped.',
          );
          return true;
        });
      }
    });

    it('a copy whose target was changed meanwhile is not complete, even if its number of rows is unchanged', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      await database.transaction((connection) =>
        createCampaign(
          connection,
          { merchantId: 1, who: 'operator', now: Date.now() },
          { ...budgets, name: 'Sale', type: 'AuctionCampaign' },
        ),
      );
      const updateStatistics = async (): Promise<void> => {
        for (const sql of [
          "UPDATE campaigns SET name = 'x' WHERE merchant_id = 1",
          'DELETE FROM variations WHERE merchant_id = 2',
        ]) {
          await target.transaction((connection) => connection.run(statement<unknown, never>(sql)));
        }
      };
      const results = await copy(source, intercept(target, { updateStatistics }));
      assert.deepEqual(
        results.filter((result) => !isEqual(result)).map(({ table }) => table.name),
        ['variations', 'campaigns'],
      );
      await assert.rejects(openCopyDatabase(t, sides.to), /unfinished copy/);
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });

    it('a failure of the target stops the copy with one line, and the next run completes it', async (t) => {
      const { database, source, target } = await newSides(t, direction);
      let transactions = 0;
      const transaction: Database['transaction'] = async (work, options) => {
        transactions += 1;
        if (transactions === 6) throw new DatabaseUnavailable('database or disk is full');
        return await target.transaction(work, options);
      };
      await assert.rejects(copy(source, intercept(target, { transaction })), {
        name: 'CopyStopped',
        message: '--to: database or disk is full. Run the same command again to continue the copy.',
      });
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });

    it('large records are read in small batches', async (t) => {
      const { services, database, source, target } = await newSides(t, direction, ['Acme']);
      const large = Array.from({ length: 125 }, (_, index) =>
        draft(`large ${index}`, { description: '日'.repeat(80_000) }),
      );
      await importDrafts(services, { id: 1 }, [large]);
      const products = tables.find(({ name }) => name === 'products');
      assert(products !== undefined);
      const table = await readColumns(database, products);
      const lengths: number[] = [];
      await source.snapshot(async (reader) => {
        for await (const { rows } of pagesOf(reader, { table, owner: { merchantId: 1 } })) {
          lengths.push(Buffer.byteLength(JSON.stringify(rows)));
        }
      });
      assert.ok(lengths.length > 5 && Math.max(...lengths) < 6_000_000, lengths.join());
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });
  });
}
