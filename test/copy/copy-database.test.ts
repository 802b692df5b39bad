import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { isEqual } from '../../src/copy/compare.ts';
import { type CopySource, copyDatabase, type Progress } from '../../src/copy/copy-database.ts';
import { namingSide } from '../../src/copy/copy-stopped.ts';
import { openSource, openTarget, parseLocation } from '../../src/copy/location.ts';
import { pagesOf } from '../../src/copy/pages.ts';
import { readColumns, tables } from '../../src/copy/tables.ts';
import { type Database, DatabaseUnavailable, type Reader } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { draft, importDrafts, UNSET_AMOUNTS } from '../support/catalog.ts';
import {
  assertCopied,
  type CopyDatabase,
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
  const target = await openSide(t, sides.to);
  return { sides, services, database, source, target };
}

/** Opens a target as `tradepost copy` does. */
async function openSide(t: TestContext, { address }: CopyDatabase): Promise<Database> {
  const target = await openTarget(parseLocation(address), waiting);
  t.after(() => target.close());
  return target;
}

/** Returns a source that runs `meanwhile` before its read with this number. */
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

const budgets = {
  ...UNSET_AMOUNTS,
  daily_budget: 0.1,
  daily_budget_per_product: 1e15,
  lifetime_budget_per_product: 5,
  hourly_schedule: { 3: 0 },
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
    it('everything is copied, and each row is reported twice: when it is copied and when it is compared', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      const reports: number[] = [];
      let announced = 0;
      const onBegin = (rows: number): void => {
        announced = rows;
      };
      const results = await copy(source, target, { onBegin, onRows: (rows) => reports.push(rows) });
      assert.ok(results.every(isEqual));
      assert.deepEqual(
        results.map(({ table }) => table.name),
        tables.map(({ name }) => name),
      );
      const contents = await readTables(database);
      for (const { table, source: read } of results) {
        assert.equal(read.rows, contents[table.name]?.length, table.name);
      }
      const rows = Object.values(contents).reduce((sum, table) => sum + table.length, 0);
      assert.ok(rows > 0);
      assert.deepEqual([announced, reports.reduce((sum, some) => sum + some, 0)], [2 * rows, 2 * rows]);
      const copied = await openCopyDatabase(t, sides.to);
      await assertCopied(database, copied);
      const message = /^--to: The database already has merchants\. Copy into a new file, or into a database /;
      await assert.rejects(copy(source, target), { name: 'CopyStopped', message });
      await assertCopied(database, copied);
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

    it('no program uses a target whose copy was cut off, and a copy into an empty one starts again', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      await assert.rejects(copy(source, target, cutOffAfter(newRandom().whole(0, 599))), CutOff);
      await assert.rejects(openCopyDatabase(t, sides.to), {
        message: /^The database contains an unfinished copy\. /,
      });
      await assert.rejects(copy(source, target), {
        name: 'CopyStopped',
        message:
          /^--to: The database contains an unfinished copy\. Delete the file, or drop and create the database, /,
      });
      const again = await openSide(t, await newCopyDatabase(t, direction.to));
      assert.ok((await copy(source, again)).every(isEqual));
      await assertCopied(database, again);
    });

    it('of two copies into one database, only one writes', async (t) => {
      const { database, source, target } = await newSides(t, direction);
      const [one, other] = await Promise.allSettled([copy(source, target), copy(source, target)]);
      const reasons = [one, other].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      assert.equal(reasons.length, 1);
      assert.match(String(reasons[0]), /^CopyStopped: --to: The database contains an unfinished copy\. /);
      await assertCopied(database, target);
    });

    it('a copy whose target was changed meanwhile is not complete, even if its number of rows is unchanged', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      const caller = { merchantId: 1, who: OPERATOR, budget: null };
      const campaign = { ...budgets, name: 'Sale', type: 'AuctionCampaign' };
      await runVerb({ database, now: Date.now }, caller, createCampaign, campaign);
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
    });

    it('a failure of the target stops the copy with one line that says how to copy again', async (t) => {
      const { source, target } = await newSides(t, direction);
      let transactions = 0;
      const transaction: Database['transaction'] = async (work, options) => {
        transactions += 1;
        if (transactions === 6) throw new DatabaseUnavailable('database or disk is full');
        return await target.transaction(work, options);
      };
      await assert.rejects(copy(source, intercept(target, { transaction })), {
        name: 'CopyStopped',
        message: '--to: database or disk is full. Empty the target database and run the same command again.',
      });
    });

    it('large records are read in small batches', async (t) => {
      const { services, database, source, target } = await newSides(t, direction, ['Acme']);
      const large = Array.from({ length: 60 }, (_, index) =>
        draft(`large ${index}`, { description: '日'.repeat(80_000) }),
      );
      await importDrafts(services, { id: 1 }, [large]);
      const products = tables.find(({ name }) => name === 'products');
      assert(products !== undefined);
      const table = await readColumns(database, products);
      const lengths: number[] = [];
      await source.snapshot(async (reader) => {
        for await (const rows of pagesOf(reader, table, [1])) {
          lengths.push(Buffer.byteLength(JSON.stringify(rows)));
        }
      });
      assert.ok(lengths.length > 2 && Math.max(...lengths) < 6_000_000, lengths.join());
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });
  });
}
