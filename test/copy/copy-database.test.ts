import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { isEqual } from '../../src/copy/compare.ts';
import { copyDatabase, type Progress, type Source } from '../../src/copy/copy-database.ts';
import { CopyStopped } from '../../src/copy/copy-stopped.ts';
import { pagesOf } from '../../src/copy/pages.ts';
import { openSource, openTarget, parsePlace } from '../../src/copy/place.ts';
import { tables } from '../../src/copy/tables.ts';
import { type Database, DatabaseUnavailable, type Reader } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import {
  assertCopied,
  directions,
  everything,
  fillMerchant,
  newSide,
  openSide,
  wildDrafts,
} from '../support/copies.ts';
import type { Engine } from '../support/engines.ts';

const waiting = { waitMs: 0, onWaiting: () => {} };
const silent: Progress = { onBegin: () => {}, onRows: () => {}, onTable: () => {} };

const copy = (source: Source, target: Database, progress: Partial<Progress> = {}) =>
  copyDatabase(source, target, { now: Date.now(), progress: { ...silent, ...progress } });

/** Two databases, the first with two merchants in it, as `tradepost copy` opens them. */
async function newSides(
  t: TestContext,
  { from, to }: { from: Engine; to: Engine },
  names = ['Acme', 'Other'],
) {
  const sides = { from: await newSide(t, from), to: await newSide(t, to) };
  const database = await openSide(t, sides.from);
  const services = { database, now: Date.now };
  for (const [index, name] of names.entries())
    await fillMerchant(services, name, { seed: 10 * names.length + index });
  const source = await openSource(parsePlace(sides.from.address), waiting);
  t.after(() => source.close());
  const target = await openTarget(parsePlace(sides.to.address), waiting);
  t.after(() => target.close());
  return { sides, services, database, source, target };
}

/** The source, of which `meanwhile` runs before the read of that number. */
function interrupted(source: Source, read: number, meanwhile: () => Promise<void>): Source {
  let reads = 0;
  const before = async (): Promise<void> => {
    reads += 1;
    if (reads === read) await meanwhile();
  };
  const wrap = (reader: Reader): Reader => ({
    all: async (statement, parameters) => {
      await before();
      return await reader.all(statement, parameters);
    },
    first: (statement, parameters) => reader.first(statement, parameters),
  });
  return { ...source, snapshot: (work) => source.snapshot((reader) => work(wrap(reader))) };
}

class CutOff extends Error {}

/** Ends a copy once so many rows are done with. */
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

for (const direction of directions) {
  describe(`from ${direction.from.name} to ${direction.to.name}`, () => {
    it('everything is copied, and what was read is what was written', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      const results = await copy(source, target);
      assert.ok(results.every(isEqual));
      assert.deepEqual(
        results.map(({ table }) => table.name),
        tables.map(({ name }) => name),
      );
      const contents = await everything(database);
      for (const { table, source: read, written } of results) {
        assert.deepEqual([read.rows, written], [contents[table.name]?.length, read.rows], table.name);
      }
      await assertCopied(database, await openSide(t, sides.to));
    });

    it('a copy is of one moment, whatever is written to the source meanwhile', async (t) => {
      const { services, database, source, target } = await newSides(t, direction);
      const before = await everything(database);
      const busy = interrupted(source, 12, async () => {
        await importDrafts(services, { id: 1 }, [[draft('new'), ...wildDrafts(60, 9)]]);
        await fillMerchant(services, 'Third', { seed: 3 });
      });
      assert.ok((await copy(busy, target)).every(isEqual));
      assert.notDeepEqual(await everything(database), before);
      assert.deepEqual(await everything(target), before);
    });

    it('a copy cut off again and again is gone on with, and is what the source is in the end', async (t) => {
      const { sides, services, database, source, target } = await newSides(t, direction);
      for (let round = 1; round <= 6; round += 1) {
        await assert.rejects(copy(source, target, cutOffAfter(randomInt(600))), CutOff);
        await assert.rejects(openSide(t, sides.to), {
          message: /^The database holds an unfinished copy: run /,
        });
        await importDrafts(services, { id: 1 }, [wildDrafts(10, 100 + round)]);
        await fillMerchant(services, `Further ${round}`, { products: 10, seed: round });
      }
      const results = await copy(source, target);
      assert.ok(results.every(isEqual));
      await assertCopied(database, await openSide(t, sides.to));
    });

    it('what an earlier run copied is not written again', async (t) => {
      const { services, database, source, target } = await newSides(t, direction);
      await assert.rejects(copy(source, target, cutOffAt('access_tokens')), CutOff);
      await services.database.transaction((connection) =>
        createCampaign(connection, 1, { ...budgets, name: 'Late', type: 'AuctionCampaign' }, Date.now()),
      );
      const written = (await copy(source, target)).filter((result) => result.written > 0);
      assert.deepEqual(
        written.map(({ table }) => table.name),
        ['campaigns'],
      );
      await assertCopied(database, target);
    });

    it('a copy cut off is gone on with from another source, where names and numbers are others’', async (t) => {
      const one = await newSides(t, direction, ['Acme', 'Other', 'Third']);
      const other = await newSides(t, direction, ['Other', 'Acme']);
      // More than go over together, so that a name is met before the row that has it in the target.
      const drafts = Array.from({ length: 2500 }, (_, index) => draft(`product ${index}`));
      await importDrafts(one.services, { id: 1 }, [drafts]);
      await importDrafts(other.services, { id: 1 }, [drafts.toReversed()]);
      await assert.rejects(copy(one.source, one.target, cutOffAt('sales_months')), CutOff);
      assert.ok((await copy(other.source, one.target)).every(isEqual));
      await assertCopied(other.database, one.target);
    });

    it('a copy ends when a later one into the same database has begun, or is finished', async (t) => {
      const { source, target } = await newSides(t, direction);
      const begun = interrupted(source, 12, () =>
        assert.rejects(copy(source, target, cutOffAfter(1)), CutOff),
      );
      const finished = interrupted(source, 12, async () => void (await copy(source, target)));
      for (const earlier of [begun, finished]) {
        await assert.rejects(copy(earlier, target), (error) => {
          assert(error instanceof CopyStopped);
          assert.equal(
            error.message,
            '--to: Another copy into this database has begun since: this one ends here.',
          );
          return true;
        });
      }
    });

    it('a copy that somebody else wrote into is told from its source, and is not finished', async (t) => {
      const { sides, database, source, target } = await newSides(t, direction);
      const settle = async (): Promise<void> => {
        await target.transaction((connection) =>
          connection.run({ sql: "UPDATE campaigns SET name = 'x' WHERE merchant_id = ?" }, [1]),
        );
        await target.transaction((connection) =>
          connection.run({ sql: 'DELETE FROM variations WHERE merchant_id = ?' }, [2]),
        );
      };
      const results = await copy(source, intercept(target, { settle }));
      assert.deepEqual(
        results.filter((result) => !isEqual(result)).map(({ table }) => table.name),
        ['variations'],
      );
      await assert.rejects(openSide(t, sides.to), /unfinished copy/);
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });

    it('a target that fails ends the copy with a line that says so, and the next run completes it', async (t) => {
      const { database, source, target } = await newSides(t, direction);
      let transactions = 0;
      const transaction: Database['transaction'] = async (work, options) => {
        transactions += 1;
        if (transactions === 6) throw new DatabaseUnavailable('database or disk is full');
        return await target.transaction(work, options);
      };
      await assert.rejects(copy(source, intercept(target, { transaction })), {
        name: 'CopyStopped',
        message: '--to: database or disk is full. Run the same command again: it goes on from here.',
      });
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });

    it('large records come a few at a time', async (t) => {
      const { services, database, source, target } = await newSides(t, direction, ['Acme']);
      const large = Array.from({ length: 125 }, (_, index) =>
        draft(`large ${index}`, { description: '日'.repeat(80_000) }),
      );
      await importDrafts(services, { id: 1 }, [large]);
      const table = tables.find(({ name }) => name === 'products');
      assert(table !== undefined);
      const lengths: number[] = [];
      await source.snapshot(async (reader) => {
        for await (const { rows } of pagesOf(reader, { table, owner: [1] })) {
          lengths.push(Buffer.byteLength(JSON.stringify(rows)));
        }
      });
      assert.ok(lengths.length > 5 && Math.max(...lengths) < 6_000_000, lengths.join());
      assert.ok((await copy(source, target)).every(isEqual));
      await assertCopied(database, target);
    });
  });
}
