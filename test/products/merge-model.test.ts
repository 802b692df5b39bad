import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { draftOf } from '../support/arbitraries.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { useDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';
import { expectedProduct } from './merge-model.ts';

const NOON = Date.UTC(2026, 5, 15, 12);
const EARLIER = '2026-01-01T00:00:00Z';

/** Only fields that the status depends on, so that few imports reach many combinations. */
const statusDraft: fc.Arbitrary<ProductDraft> = fc
  .record(
    {
      status: fc.constantFrom(null, 'enabled', 'disabled', 'deleted', 'banned', 'in_stock'),
      available_quantity: fc.constantFrom(null, 0, 0, 3, 100),
      disabled_at: fc.constantFrom(null, null, EARLIER),
      deleted_at: fc.constantFrom(null, null, EARLIER),
    },
    { requiredKeys: [] },
  )
  .map((fields) => draft('A', fields));

const sequences: [name: string, drafts: fc.Arbitrary<ProductDraft>][] = [
  ['any imports', draftOf('A')],
  ['imports of statuses, stock and times', fc.oneof({ weight: 9, arbitrary: statusDraft }, draftOf('A'))],
];

it('the model itself expects the correct product after a few imports', () => {
  const parse = (drafts: ProductDraft[], times: number[]) => JSON.parse(expectedProduct(drafts, times));
  const whole = draft('A', { title: 'T', available_quantity: 3 }, [
    { identifier: 'v1', quantity: 3 },
    { identifier: 'v2', quantity: 4 },
  ]);
  const created = parse([whole], [NOON]);
  assert.deepEqual(
    [created.status, created.available_quantity, created.created_at, created.updated_at],
    ['in_stock', 7, '2026-06-15T12:00:00Z', '2026-06-15T12:00:00Z'],
  );
  const one = draft('A', { updated_at: null }, [{ identifier: 'v1' }]);
  const times = [NOON, NOON + 1_000, NOON + 2_500];
  const later = parse([whole, one, one], times);
  assert.deepEqual(
    [later.status, later.title, later.updated_at, later.variations[1].deleted_at],
    ['low_inventory', 'T', '2026-06-15T12:00:01Z', '2026-06-15T12:00:01Z'],
  );
  const back = parse([whole, one, whole], times);
  assert.deepEqual([back.available_quantity, back.updated_at], [7, '2026-06-15T12:00:02.500Z']);
});

forEachEngine((engine) => {
  const store = useDatabase(engine);

  for (const [name, drafts] of sequences) {
    it(`a product matches the contract after ${name}, with any time in between`, async () => {
      const step = fc.tuple(drafts, fc.constantFrom(0, 1, 1_000, 86_400_000));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const merchant = await store().newMerchant();
          const [stated, times]: [ProductDraft[], number[]] = [[], []];
          for (const [one, milliseconds] of steps) {
            store().passTime(milliseconds);
            stated.push(one);
            times.push(store().now());
            const { rejections } = await importDrafts(store(), merchant, [[one]]);
            assert.deepEqual(rejections, []);
            const [product] = await allProducts(store(), merchant);
            assert.equal(JSON.stringify(product), expectedProduct(stated, times));
          }
        }),
        { numRuns: runs(60) },
      );
    });
  }

  it('a stated stock is kept even if the record does not show it yet', async () => {
    const merchant = await store().newMerchant();
    for (const fields of [{ status: 'disabled' }, { available_quantity: 0 }, { status: null }] as const) {
      await importDrafts(store(), merchant, [[draft('A', fields)]]);
    }
    const [product] = await allProducts(store(), merchant);
    assert.equal(product?.status, 'sold_out');
  });
});
