import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exportSchedules } from '../../src/sales/export-schedules.ts';
import { monthlySales } from '../../src/sales/monthly-sales.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { allProducts, draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { scheduledProduct, schedulesAt, unusualZones } from '../support/schedule-arbitraries.ts';
import { fc } from '../support/seed.ts';
import { useDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';

const PRODUCTS = ['A', 'B', 'C'];
const MINUTE = 60_000;

/** Around the ends of months. On November 1, 2009, clocks in Newfoundland went back into October. */
const time = fc
  .tuple(
    fc.constantFrom(
      '1999-12-31',
      '2009-11-01',
      '2011-12-31',
      '2024-02-29',
      '2026-03-01',
      '2026-09-30',
      '2026-11-01',
    ),
    fc.integer({ min: -36 * 60, max: 36 * 60 }),
    fc.integer({ min: 0, max: MINUTE - 1 }),
  )
  .map(([day, minutes, milliseconds]) => Date.parse(day) + minutes * MINUTE + milliseconds);

const schedule = schedulesAt(time, PRODUCTS, 31);

/** `numerator` ÷ `denominator` with this number of decimals, rounded half-up. */
function halfUp(numerator: number, denominator: number, decimals: number): number {
  const scaled = (BigInt(numerator) * 10n ** BigInt(decimals) * 2n) / BigInt(denominator);
  return Number((scaled + 1n) / 2n) / 10 ** decimals;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

function expectedMonths(schedules: ScheduleDraft[], timeZone: string): object[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' });
  const byMonth = Map.groupBy(schedules, ({ scheduled_at }) => format.format(scheduled_at));
  return [...byMonth.keys()].sort().map((month) => {
    const of = byMonth.get(month) ?? [];
    const sold = of.filter((one) => one.sold);
    const ratings = sold.flatMap(({ rating }) => (rating === null ? [] : [rating]));
    const sales = sum(sold.map(({ sale_price }) => sale_price ?? 0));
    return {
      month,
      schedules: of.length,
      sell_rate: halfUp(sold.length, of.length, 4),
      asp: sold.length === 0 ? null : halfUp(sales, sold.length * 100, 2),
      product_rating: ratings.length === 0 ? null : halfUp(sum(ratings), ratings.length * 100, 2),
      total_sales: sales / 100,
    };
  });
}

/** Calculated from a product's schedules, or as last stated if it has none. */
function expectedFigures(schedules: ScheduleDraft[]): object {
  const sold = schedules.filter((one) => one.sold);
  const ratings = sold.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  return {
    sales_count: sold.length,
    ratings_count: ratings.length,
    ratings_average: ratings.length === 0 ? null : halfUp(sum(ratings), ratings.length * 100, 2),
  };
}

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('the statistics and the products’ figures follow from the schedules, for any order and batches', async () => {
    const batches = fc.array(fc.array(schedule, { maxLength: 12 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...unusualZones), batches, async (timeZone, drafts) => {
        const merchant = await store().newMerchant(timeZone);
        const stated = { sales_count: 77, ratings_count: 7, ratings_average: 1 };
        await importDrafts(store(), merchant, [
          PRODUCTS.map((identifier) => scheduledProduct(identifier, stated)),
        ]);
        const latest = new Map<string, ScheduleDraft>();
        const everScheduled = new Set<string>();
        for (const batch of drafts) {
          assert.equal((await importScheduleDrafts(store(), merchant, [batch])).rejected, 0);
          // The last row about a schedule in a batch takes effect.
          for (const one of batch) latest.set(one.schedule_id, one);
          for (const one of latest.values()) everScheduled.add(one.product_identifier);
          // A catalog cannot state the figures of a product with schedules.
          await importDrafts(store(), merchant, [
            PRODUCTS.map((identifier) => draft(identifier, { title: String(batch.length) })),
          ]);
        }
        const schedules = [...latest.values()];
        assert.deepEqual(await monthlySales(store(), merchant.id), expectedMonths(schedules, timeZone));
        for (const product of await allProducts(store(), merchant)) {
          const { identifier, sales_count, ratings_count, ratings_average } = product;
          const of = schedules.filter(({ product_identifier }) => product_identifier === identifier);
          if (!everScheduled.has(identifier)) continue;
          assert.deepEqual({ sales_count, ratings_count, ratings_average }, expectedFigures(of), identifier);
        }
      }),
      { numRuns: runs(120) },
    );
  });

  it('a month ends at midnight by the calendar, even if the clocks change within the same quarter of an hour', async () => {
    // At 00:01 on November 1, 2009, clocks in Newfoundland were turned back to 23:01 on October 31.
    const from = Date.parse('2009-11-01T02:25:00Z');
    const schedules = Array.from({ length: 130 }, (_, minute) => ({
      merchant: null,
      schedule_id: `s ${minute}`,
      product_identifier: 'A',
      scheduled_at: from + minute * 30_000,
      sold: false,
      sale_price: null,
      rating: null,
    }));
    const merchant = await store().newMerchant('America/St_Johns');
    await importDrafts(store(), merchant, [[draft('A')]]);
    await importScheduleDrafts(store(), merchant, [schedules]);
    assert.deepEqual(await monthlySales(store(), merchant.id), expectedMonths(schedules, 'America/St_Johns'));
  });

  it('importing the same file twice changes nothing the second time', async () => {
    const file = fc.uniqueArray(schedule, { selector: ({ schedule_id }) => schedule_id });
    await fc.assert(
      fc.asyncProperty(file, async (drafts) => {
        const merchant = await store().newMerchant();
        await importDrafts(store(), merchant, [PRODUCTS.map((identifier) => scheduledProduct(identifier))]);
        assert.equal((await importScheduleDrafts(store(), merchant, [drafts])).created, drafts.length);
        const [contents, revision] = [await store().contents(), await store().revisionOf(merchant)];
        store().passTime(MINUTE);
        assert.equal((await importScheduleDrafts(store(), merchant, [drafts])).unchanged, drafts.length);
        assert.deepEqual(await store().contents(), contents);
        assert.equal(await store().revisionOf(merchant), revision);
      }),
      { numRuns: runs(30) },
    );
  });

  it('a dry run reports the same as the import, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(schedule), fc.array(schedule), async (before, drafts) => {
        const merchant = await store().newMerchant();
        await importDrafts(store(), merchant, [
          PRODUCTS.slice(1).map((identifier) => scheduledProduct(identifier)),
        ]);
        await importScheduleDrafts(store(), merchant, [before]);
        const contents = await store().contents();
        const reported = await importScheduleDrafts(store(), merchant, [drafts], { dryRun: true });
        assert.deepEqual(await store().contents(), contents);
        assert.deepEqual(await importScheduleDrafts(store(), merchant, [drafts]), reported);
      }),
      { numRuns: runs(30) },
    );
  });

  it('importing an export leads to the same schedules and the same statistics', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(schedule), async (drafts) => {
        const [from, into] = [
          await store().newMerchant('Asia/Kathmandu'),
          await store().newMerchant('Asia/Kathmandu'),
        ];
        for (const merchant of [from, into]) {
          await importDrafts(store(), merchant, [PRODUCTS.map((identifier) => scheduledProduct(identifier))]);
        }
        await importScheduleDrafts(store(), from, [drafts]);
        const exported = (await Array.fromAsync(exportSchedules(store(), from.id))).flat();
        const read = exported.map(
          (record): ScheduleDraft => ({
            ...record,
            merchant: null,
            scheduled_at: Date.parse(record.scheduled_at),
            sale_price: record.sale_price === null ? null : Math.round(record.sale_price * 100),
            rating: record.rating === null ? null : Math.round(record.rating * 100),
          }),
        );
        await importScheduleDrafts(store(), into, [read]);
        assert.deepEqual((await Array.fromAsync(exportSchedules(store(), into.id))).flat(), exported);
        assert.deepEqual(await monthlySales(store(), into.id), await monthlySales(store(), from.id));
      }),
      { numRuns: runs(30) },
    );
  });

  it('a schedule of an unknown product is rejected, and the others are imported', async () => {
    const [merchant, other] = [await store().newMerchant(), await store().newMerchant()];
    await importDrafts(store(), merchant, [[draft('A')]]);
    await importDrafts(store(), other, [[draft('B')]]);
    const [first] = fc.sample(schedule, 1);
    assert(first !== undefined);
    const { rejections, created, rejected } = await importScheduleDrafts(store(), merchant, [
      [
        { ...first, variation_identifier: null, schedule_id: 'a', product_identifier: 'B' },
        { ...first, variation_identifier: null, schedule_id: 'b', product_identifier: 'A' },
      ],
    ]);
    assert.deepEqual([created, rejected], [1, 1]);
    const reason = 'no product has this identifier; import the products first';
    assert.deepEqual(rejections, [
      { line: 1, identifier: 'a', column: 'product_identifier', value: 'B', reason },
    ]);
  });

  it('a schedule of another product’s variation, or of an unknown one, is rejected, whichever merchant has it', async () => {
    const [merchant, other] = [await store().newMerchant(), await store().newMerchant()];
    await importDrafts(store(), merchant, [[scheduledProduct('A'), scheduledProduct('B')]]);
    await importDrafts(store(), other, [[scheduledProduct('C')]]);
    const [first] = fc.sample(schedule, 1);
    assert(first !== undefined);
    const named = ['A-S', 'B-S', 'C-S', 'X'];
    const { rejections, created } = await importScheduleDrafts(store(), merchant, [
      named.map((name) => ({
        ...first,
        schedule_id: name,
        product_identifier: 'A',
        variation_identifier: name,
      })),
    ]);
    assert.equal(created, 1);
    const reason = 'the product A has no variation with this identifier';
    assert.deepEqual(
      rejections,
      named.slice(1).map((value, index) => ({
        line: index + 2,
        identifier: value,
        column: 'variation_identifier',
        value,
        reason,
      })),
    );
  });

  it('a schedule keeps its variation if a file does not state one, until it is moved to another product', async () => {
    const merchant = await store().newMerchant();
    await importDrafts(store(), merchant, [[scheduledProduct('A'), scheduledProduct('B')]]);
    const [first] = fc.sample(schedule, 1);
    assert(first !== undefined);
    const steps: [stated: Partial<ScheduleDraft>, expected: string | null][] = [
      [{ variation_identifier: 'A-S' }, 'A-S'],
      [{ scheduled_at: 5 }, 'A-S'],
      [{ variation_identifier: null }, null],
      [{ variation_identifier: 'A-M' }, 'A-M'],
      [{ product_identifier: 'B' }, null],
      [{}, null],
    ];
    for (const [stated, expected] of steps) {
      const one = { ...first, product_identifier: 'A', variation_identifier: undefined, ...stated };
      await importScheduleDrafts(store(), merchant, [[one]]);
      const [exported] = (await Array.fromAsync(exportSchedules(store(), merchant.id))).flat();
      assert.equal(exported?.variation_identifier, expected, JSON.stringify(stated));
    }
    // Also within one transaction.
    const one = { ...first, product_identifier: 'A', variation_identifier: undefined };
    await importScheduleDrafts(store(), merchant, [[{ ...one, variation_identifier: 'A-S' }, one]]);
    const [exported] = (await Array.fromAsync(exportSchedules(store(), merchant.id))).flat();
    assert.equal(exported?.variation_identifier, 'A-S');
  });

  it('a schedule keeps its order if a file does not state one', async () => {
    const merchant = await store().newMerchant();
    await importDrafts(store(), merchant, [[draft('A'), draft('B')]]);
    const [first] = fc.sample(schedule, 1);
    assert(first !== undefined);
    const steps: [stated: Partial<ScheduleDraft>, expected: number | null, changes: boolean][] = [
      [{}, null, true],
      [{ order_id: 4711 }, 4711, true],
      [{}, 4711, false],
      [{ order_id: 4711 }, 4711, false],
      [{ product_identifier: 'B' }, 4711, true],
      [{ order_id: null, product_identifier: 'B' }, null, true],
    ];
    for (const [stated, expected, changes] of steps) {
      const one = {
        ...first,
        product_identifier: 'A',
        variation_identifier: null,
        order_id: undefined,
        ...stated,
      };
      const { created, updated } = await importScheduleDrafts(store(), merchant, [[one]]);
      assert.equal(created + updated, changes ? 1 : 0, JSON.stringify(stated));
      const [exported] = (await Array.fromAsync(exportSchedules(store(), merchant.id))).flat();
      assert.equal(exported?.order_id, expected, JSON.stringify(stated));
    }
  });

  it('a schedule that only names a different product moves to that product', async () => {
    const merchant = await store().newMerchant();
    await importDrafts(store(), merchant, [[draft('A'), draft('B')]]);
    const [first] = fc.sample(schedule, 1);
    assert(first !== undefined);
    const sold = { ...first, variation_identifier: null, sold: true, sale_price: 5, rating: null };
    await importScheduleDrafts(store(), merchant, [[{ ...sold, product_identifier: 'A' }]]);
    const moved = await importScheduleDrafts(store(), merchant, [[{ ...sold, product_identifier: 'B' }]]);
    assert.deepEqual([moved.created, moved.updated, moved.unchanged], [0, 1, 0]);
    const exported = await Array.fromAsync(exportSchedules(store(), merchant.id));
    assert.deepEqual(
      exported.flat().map(({ product_identifier: product }) => product),
      ['B'],
    );
    const sales = (await allProducts(store(), merchant)).map((product) => [
      product.identifier,
      product.sales_count,
    ]);
    assert.deepEqual(Object.fromEntries(sales), { A: 0, B: 1 });
  });

  it('a change of sales increases the catalog’s revision, because lists sorted by sales and ratings change', async () => {
    const merchant = await store().newMerchant();
    await importDrafts(store(), merchant, [[draft('A')]]);
    const revision = await store().revisionOf(merchant);
    const sale = {
      merchant: null,
      schedule_id: 's',
      product_identifier: 'A',
      scheduled_at: 0,
      sold: true,
      sale_price: 1,
      rating: 500,
    };
    await importScheduleDrafts(store(), merchant, [[sale]]);
    assert.ok((await store().revisionOf(merchant)) > revision);
  });
});
