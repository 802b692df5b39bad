import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { exportSchedules } from '../../src/sales/export-schedules.ts';
import type { ScheduleList } from '../../src/sales/list-schedules.ts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import type { ScheduleRecord } from '../../src/sales/schedule-record.ts';
import { encodeCursor } from '../../src/sync/cursor.ts';
import { importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { scheduledProduct, schedulesAt, unusualZones } from '../support/schedule-arbitraries.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

const PRODUCTS = ['A', 'B', 'C'];
const MINUTE = 60_000;
/** Around the ends of months and clock changes. On December 30, 2011, Samoa skipped a day. */
const time = fc
  .tuple(
    fc.constantFrom('0000-01-03', '2009-11-01', '2011-12-31', '2024-02-29', '2026-03-01', '2026-11-01'),
    fc.integer({ min: -36 * 60, max: 36 * 60 }),
    fc.constantFrom(0, 1, MINUTE - 1),
  )
  .map(([day, minutes, milliseconds]) => Date.parse(day) + minutes * MINUTE + milliseconds);
const schedule = schedulesAt(time, PRODUCTS, 40);

const raiseEpoch = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET epoch = epoch + 1 WHERE merchant_id = :id',
);

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Calculated from the drafts alone. */
class Model {
  readonly #schedules = new Map<string, ScheduleDraft>();

  apply(drafts: readonly ScheduleDraft[]): void {
    for (const draft of drafts) {
      const before = this.#schedules.get(draft.schedule_id);
      const isMoved = before?.product_identifier !== draft.product_identifier;
      const kept = isMoved ? null : (before?.variation_identifier ?? null);
      const { variation_identifier = kept, order_id = before?.order_id ?? null } = draft;
      this.#schedules.set(draft.schedule_id, { ...draft, variation_identifier, order_id });
    }
  }

  list(matches: (schedule: ScheduleDraft) => boolean = () => true): ScheduleRecord[] {
    return [...this.#schedules.values()]
      .filter(matches)
      .sort((a, b) => a.scheduled_at - b.scheduled_at || byBytes(a.schedule_id, b.schedule_id))
      .map((one) => ({
        schedule_id: one.schedule_id,
        product_identifier: one.product_identifier,
        variation_identifier: one.variation_identifier ?? null,
        scheduled_at: new Date(one.scheduled_at).toISOString().replace('.000Z', 'Z'),
        sold: one.sold,
        sale_price: one.sale_price === null ? null : one.sale_price / 100,
        rating: one.rating === null ? null : one.rating / 100,
        order_id: one.order_id ?? null,
        placement_id: one.placement_id ?? null,
      }));
  }
}

/** A copy of all schedules, kept only by following the changes. */
class Mirror {
  readonly schedules = new Map<string, ScheduleRecord>();
  cursor = 'start';

  apply({ results, cursor }: ScheduleList): void {
    for (const one of results) this.schedules.set(one.schedule_id, one);
    this.cursor = cursor;
  }

  sorted(): ScheduleRecord[] {
    return [...this.schedules.values()].sort((a, b) => byBytes(a.schedule_id, b.schedule_id));
  }
}

forEachEngine((engine) => {
  const service = useService(engine);

  async function newMerchant(timeZone?: string, drafts: ScheduleDraft[] = []): Promise<TestMerchant> {
    const merchant = await service().newMerchant(timeZone);
    await importDrafts(service(), merchant, [PRODUCTS.map((identifier) => scheduledProduct(identifier))]);
    await importScheduleDrafts(service(), merchant, [drafts]);
    return merchant;
  }

  async function list(merchant: TestMerchant, query: Record<string, string>): Promise<ScheduleList> {
    const response = await service().get('/schedules.json', merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<ScheduleList>();
  }

  async function listAll(merchant: TestMerchant, query: Record<string, string>): Promise<ScheduleRecord[]> {
    const results: ScheduleRecord[] = [];
    for (let after = {}; ; ) {
      const part = await list(merchant, { ...query, ...after });
      assert.ok(part.results.length > 0 || results.length === 0, 'there were no more schedules');
      results.push(...part.results);
      if (!part.more) return results;
      assert.equal(part.results.length, Number(query.per_page ?? 50));
      after = { after: part.cursor };
    }
  }

  async function follow(merchant: TestMerchant, mirror: Mirror, perPage = 50): Promise<ScheduleRecord[]> {
    const seen: ScheduleRecord[] = [];
    for (;;) {
      const part = await list(merchant, { changed_since: mirror.cursor, per_page: String(perPage) });
      mirror.apply(part);
      assert.ok(part.results.length > 0 || seen.length === 0, 'there were no more schedules');
      seen.push(...part.results);
      if (!part.more) return seen;
    }
  }

  const exported = async (merchant: TestMerchant): Promise<ScheduleRecord[]> =>
    (await Array.fromAsync(exportSchedules(service(), merchant.id))).flat();

  const sale: ScheduleDraft = {
    merchant: null,
    schedule_id: 's:1',
    product_identifier: 'A',
    variation_identifier: 'A-S',
    scheduled_at: Date.parse('2026-01-31T23:30:00.5Z'),
    sold: true,
    sale_price: 1999,
    rating: 450,
  };
  const unsold: ScheduleDraft = {
    ...sale,
    schedule_id: 's:2',
    variation_identifier: null,
    scheduled_at: Date.parse('2026-01-05T18:00:00Z'),
    sold: false,
    sale_price: null,
    rating: null,
  };

  it('200: returns the schedules, keys in the contract’s order, with a cursor and whether there are more', async () => {
    const merchant = await newMerchant('UTC', [{ ...sale, order_id: 4711 }, unsold]);
    const [first, second] = [
      '{"schedule_id":"s:1","product_identifier":"A","variation_identifier":"A-S",' +
        '"scheduled_at":"2026-01-31T23:30:00.500Z","sold":true,"sale_price":19.99,"rating":4.5,"order_id":4711,"placement_id":null}',
      '{"schedule_id":"s:2","product_identifier":"A","variation_identifier":null,' +
        '"scheduled_at":"2026-01-05T18:00:00Z","sold":false,"sale_price":null,"rating":null,"order_id":null,"placement_id":null}',
    ];
    for (const [query, results] of [
      [{ changed_since: 'start' }, [first, second]],
      [{ month: '2026-01' }, [second, first]],
      [{ product_identifier: 'A' }, [second, first]],
      [{ month: '2026-02' }, []],
      [{ product_identifier: 'B' }, []],
    ] as const) {
      const { text } = await service().get('/schedules.json', merchant, query);
      const cursor = /"cursor":"[\w-]+"/.exec(text)?.[0];
      assert.equal(text, `{"results":[${results.join(',')}],${cursor},"more":false}`);
    }
    const { more } = await list(merchant, { month: '2026-01', per_page: '1' });
    assert.equal(more, true);
  });

  it('200: a month’s schedules are those that its figures are made of, in every time zone', async () => {
    const batches = fc.array(fc.array(schedule, { maxLength: 40 }), { maxLength: 3 });
    const pageSize = fc.constantFrom(1, 2, 7, 50, 1000);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...unusualZones), batches, pageSize, async (zone, drafts, perPage) => {
        const merchant = await newMerchant(zone);
        const model = new Model();
        for (const batch of drafts) {
          model.apply(batch);
          await importScheduleDrafts(service(), merchant, [batch]);
        }
        const format = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          year: 'numeric',
          month: '2-digit',
        });
        const figures = (await service().get('/performance/sales.json', merchant)).json<MonthlySales[]>();
        let schedules = 0;
        for (const month of figures) {
          const found = await listAll(merchant, { month: month.month, per_page: String(perPage) });
          const expected = model.list(
            (one) => format.format(one.scheduled_at).padStart(7, '0') === month.month,
          );
          assert.deepEqual(found, expected, `${zone} ${month.month}`);
          const sold = found.filter((one) => one.sold);
          const total = sum(sold.map(({ sale_price }) => Math.round((sale_price ?? 0) * 100)));
          assert.equal(found.length, month.schedules);
          assert.equal(total / 100, month.total_sales);
          assert.ok(Math.abs(sold.length / found.length - month.sell_rate) <= 0.00005);
          schedules += found.length;
        }
        assert.equal(schedules, model.list().length);
        for (const identifier of PRODUCTS) {
          const query = { product_identifier: identifier, per_page: String(perPage) };
          const expected = model.list((one) => one.product_identifier === identifier);
          assert.deepEqual(await listAll(merchant, query), expected);
        }
      }),
      { numRuns: runs(30), interruptAfterTimeLimit: 100_000 },
    );
  });

  it('200: a client that follows the changes has every schedule in its newest state, and gets only changed ones', async () => {
    const batches = fc.array(fc.array(schedule, { maxLength: 12 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 20 }), async (drafts, perPage) => {
        const merchant = await newMerchant();
        const [model, mirror] = [new Model(), new Mirror()];
        assert.deepEqual(await follow(merchant, mirror, perPage), []);
        for (const batch of drafts) {
          const before = model.list();
          model.apply(batch);
          await importScheduleDrafts(service(), merchant, [batch]);
          const seen = await follow(merchant, mirror, perPage);
          const all = model.list();
          const sorted = all.toSorted((a, b) => byBytes(a.schedule_id, b.schedule_id));
          assert.deepEqual(mirror.sorted(), sorted);
          const named = new Set(batch.map(({ schedule_id }) => schedule_id));
          const unchanged = new Set(before.map((one) => JSON.stringify(one)));
          for (const one of all) {
            if (unchanged.has(JSON.stringify(one)) && !named.has(one.schedule_id))
              assert.ok(!seen.some(({ schedule_id }) => schedule_id === one.schedule_id));
          }
          assert.equal(new Set(seen.map(({ schedule_id }) => schedule_id)).size, seen.length);
          await importScheduleDrafts(service(), merchant, [batch.slice(-1)]);
          assert.deepEqual(await follow(merchant, mirror, perPage), [], 'an unchanged schedule reappeared');
        }
        assert.deepEqual(mirror.sorted(), await exported(merchant));
      }),
      { numRuns: runs(30), interruptAfterTimeLimit: 100_000 },
    );
  });

  it('200: a client that follows the changes while many writers import loses none', async () => {
    const merchant = await newMerchant();
    const mirror = new Mirror();
    const [writers, rounds] = [8, 12];
    let writing = writers;
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const batch = fc.sample(schedule, { numRuns: 25, seed: writer * 1000 + round });
        await importScheduleDrafts(service(), merchant, [batch]);
        // Product writes raise the same revision.
        const product = scheduledProduct('A', { title: `${writer} ${round}` });
        await importDrafts(service(), merchant, [[product]]);
      }
      writing -= 1;
    };
    let parts = 0;
    const read = async (): Promise<void> => {
      while (writing > 0) {
        mirror.apply(await list(merchant, { changed_since: mirror.cursor, per_page: '7' }));
        parts += 1;
      }
    };
    await Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))]);
    await follow(merchant, mirror, 7);
    assert.ok(parts > 10);
    assert.deepEqual(mirror.sorted(), await exported(merchant));
  });

  it('200: a list by time that is continued while schedules are added misses none that were there', async () => {
    const drafts = Array.from({ length: 30 }, (_, index) => ({
      ...unsold,
      schedule_id: `s${index}`,
      scheduled_at: Date.parse('2026-01-10T00:00:00Z') + Math.floor(index / 4),
    }));
    const merchant = await newMerchant('UTC', drafts);
    const found: string[] = [];
    for (let after = {}, more = true; more; ) {
      const part = await list(merchant, { month: '2026-01', per_page: '4', ...after });
      found.push(...part.results.map(({ schedule_id }) => schedule_id));
      await importScheduleDrafts(service(), merchant, [
        [
          {
            ...unsold,
            schedule_id: `early ${found.length}`,
            scheduled_at: Date.parse('2026-01-01T00:00:00Z'),
          },
        ],
      ]);
      after = { after: part.cursor };
      more = part.more;
    }
    assert.deepEqual(found.toSorted(), drafts.map(({ schedule_id }) => schedule_id).toSorted());
  });

  it('200: never includes another merchant’s schedules', async () => {
    await newMerchant('UTC', [sale]);
    const merchant = await newMerchant();
    for (const query of [{ changed_since: 'start' }, { month: '2026-01' }, { product_identifier: 'A' }]) {
      assert.deepEqual((await list(merchant, query)).results, []);
    }
  });

  it('400: requires exactly one of the three parameters', async () => {
    const merchant = await newMerchant();
    const message = 'changed_since: expected exactly one of changed_since, month and product_identifier.';
    for (const query of [
      {},
      { per_page: '5' },
      { month: '2026-01', changed_since: 'start' },
      { month: '2026-01', product_identifier: 'A' },
      { changed_since: 'start', month: '2026-01', product_identifier: 'A' },
    ]) {
      expectError(await service().get('/schedules.json', merchant, query), 400, message);
    }
    const both = await service().get('/schedules.json', merchant, { changed_since: 'start', after: 'x' });
    expectError(both, 400, /^after: expected only with month or product_identifier/);
  });

  it('400: rejects malformed values, by name', async () => {
    const merchant = await newMerchant();
    for (const [name, value] of [
      ['month', '2026-13'],
      ['month', '2026-1'],
      ['month', '2026-01-01'],
      ['per_page', '0'],
      ['per_page', '1001'],
      ['page', '2'],
    ] as const) {
      const response = await service().get('/schedules.json', merchant, { month: '2026-01', [name]: value });
      expectError(response, 400, new RegExp(`(^|: )${name}\\b`));
    }
  });

  it('400: rejects a cursor that is cut off, of another merchant, or of another list', async () => {
    const merchant = await newMerchant('UTC', [sale, unsold]);
    const other = await newMerchant('UTC', [sale, unsold]);
    const { cursor: changes } = await list(merchant, { changed_since: 'start' });
    const { cursor: january } = await list(merchant, { month: '2026-01' });
    const { cursor: ofProduct } = await list(merchant, { product_identifier: 'A' });
    const fails = async (
      name: string,
      who: TestMerchant,
      query: Record<string, string>,
      reason: RegExp,
    ): Promise<void> => {
      const response = await service().get('/schedules.json', who, query);
      expectError(response, 400, new RegExp(`^${name}: .*${reason.source}`));
    };
    await fails('changed_since', merchant, { changed_since: changes.slice(0, -1) }, /not a complete cursor/);
    const scope = { merchantId: merchant.id, listing: 'changed schedules' };
    const unstorable = encodeCursor(scope, [1, 2, 'A\0']);
    await fails('changed_since', merchant, { changed_since: unstorable }, /another list,/);
    await fails('changed_since', merchant, { changed_since: '0' }, /not a complete cursor/);
    await fails('changed_since', merchant, { changed_since: january }, /another list,/);
    await fails('changed_since', other, { changed_since: changes }, /another merchant/);
    await fails('after', merchant, { month: '2026-01', after: january.slice(1) }, /not a complete cursor/);
    await fails('after', merchant, { month: '2026-02', after: january }, /another list,/);
    await fails('after', merchant, { month: '2026-01', after: changes }, /another list,/);
    await fails('after', merchant, { product_identifier: 'B', after: ofProduct }, /another list,/);
    await fails('after', other, { product_identifier: 'A', after: ofProduct }, /another merchant/);
  });

  it('404: an unknown product, and another merchant’s', async () => {
    const merchant = await newMerchant();
    const other = await service().newMerchant();
    await importDrafts(service(), other, [[scheduledProduct('THEIRS')]]);
    for (const identifier of ['THEIRS', 'NONE', '%']) {
      const response = await service().get('/schedules.json', merchant, { product_identifier: identifier });
      expectError(response, 404, `There is no product with the unique ID ${identifier}.`);
    }
  });

  it('410: a cursor of changes from before the database was restored', async () => {
    const merchant = await newMerchant('UTC', [sale]);
    const { cursor } = await list(merchant, { changed_since: 'start' });
    await service().database.transaction((connection) => connection.run(raiseEpoch, merchant));
    const response = await service().get('/schedules.json', merchant, { changed_since: cursor });
    expectError(response, 410, /^changed_since: .* start again with “start”/);
    assert.equal((await list(merchant, { changed_since: 'start' })).results.length, 1);
  });
});
