import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';
import { retrieveVariation } from '../../src/variations/retrieve-variation.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { enlargeRecords } from '../support/large-records.ts';
import { useDatabase } from '../support/test-database.ts';

const TIME = '2026-01-31T23:59:59Z';

forEachEngine((engine) => {
  const store = useDatabase(engine);
  const productIdentifierOf = async ({ id }: { id: number }, variation: string): Promise<string> =>
    JSON.parse((await retrieveVariation(sources(), id, variation)) ?? '{}').product_identifier;
  const sources = (): Parameters<typeof retrieveVariation>[0] => {
    const { database } = store();
    return { database, offLoop: new OffLoopReads(database) };
  };

  async function productOf(...drafts: ProductDraft[]): Promise<Product> {
    const merchant = await store().newMerchant();
    for (const one of drafts) {
      store().passTime(1000);
      assert.equal((await importDrafts(store(), merchant, [[one]])).rejected, 0);
    }
    const [product] = await allProducts(store(), merchant);
    assert(product !== undefined);
    return product;
  }

  describe('fields', () => {
    it('a missing field keeps its value, and null clears it', async () => {
      const product = await productOf(
        draft('A', { title: 'T', brand: 'B', retail_price: 1 }),
        draft('A', { title: null, retail_price: 2 }),
      );
      assert.deepEqual([product.title, product.brand, product.retail_price], [null, 'B', 2]);
    });

    it('updated_at changes only with other fields, and created_at never does', async () => {
      const merchant = await store().newMerchant();
      const times = async (fields: ProductDraft['fields']): Promise<(string | null | undefined)[]> => {
        store().passTime(1000);
        await importDrafts(store(), merchant, [[draft('A', fields)]]);
        const [product] = await allProducts(store(), merchant);
        return [product?.created_at, product?.updated_at];
      };
      const [created, updated] = await times({ title: 'T' });
      assert.equal(created, updated);
      assert.deepEqual(await times({ title: 'T' }), [created, updated]);
      const [stillCreated, changed] = await times({ title: 'U' });
      assert.equal(stillCreated, created);
      assert.equal(changed, new Date(store().now()).toISOString().replace('.000Z', 'Z'));
      assert.deepEqual(await times({ created_at: TIME, updated_at: TIME }), [TIME, TIME]);
      const [, afterNull] = await times({ title: 'V', updated_at: null });
      assert.equal(afterNull, new Date(store().now()).toISOString().replace('.000Z', 'Z'));
    });

    it('IDs are assigned once, in order of creation', async () => {
      const merchant = await store().newMerchant();
      await importDrafts(store(), merchant, [
        [draft('B', {}, [{ identifier: 'v2' }, { identifier: 'v1' }])],
        [draft('A')],
      ]);
      await importDrafts(store(), merchant, [
        [draft('B', { title: 'T' }), draft('C', {}, [{ identifier: 'v3' }])],
      ]);
      const products = await allProducts(store(), merchant);
      assert.deepEqual(
        products.map(({ identifier, internal_id }) => [identifier, internal_id]),
        [
          ['B', 1],
          ['A', 2],
          ['C', 3],
        ],
      );
      const variations = products.flatMap((product) => product.variations);
      assert.deepEqual(
        variations.map(({ identifier, internal_id }) => [identifier, internal_id]),
        [
          ['v2', 1],
          ['v1', 2],
          ['v3', 3],
        ],
      );
    });
  });

  describe('variations', () => {
    it('a variation that is not listed is marked as deleted, and no longer counts as stock', async () => {
      const both = [
        { identifier: 'v1', quantity: 3 },
        { identifier: 'v2', quantity: 40 },
      ];
      const product = await productOf(draft('A', {}, both), draft('A', {}, [{ identifier: 'v1' }]));
      const now = new Date(store().now()).toISOString().replace('.000Z', 'Z');
      assert.deepEqual(
        product.variations.map(({ identifier, quantity, deleted_at }) => [identifier, quantity, deleted_at]),
        [
          ['v1', 3, null],
          ['v2', 40, now],
        ],
      );
      assert.equal(product.available_quantity, 3);
      assert.equal(product.status, 'low_inventory');
    });

    it('a variation that stays unlisted keeps its deletion time, and the revision does not rise', async () => {
      const merchant = await store().newMerchant();
      const imported = async (...variations: VariationDraft[]) =>
        await importDrafts(store(), merchant, [[draft('A', {}, variations)]]);
      await imported({ identifier: 'v1' }, { identifier: 'v2' });
      await imported({ identifier: 'v1' });
      const [before, revision] = [await allProducts(store(), merchant), await store().revisionOf(merchant)];
      store().passTime(60_000);
      assert.equal((await imported({ identifier: 'v1' })).unchanged, 1);
      assert.deepEqual(await allProducts(store(), merchant), before);
      assert.equal(await store().revisionOf(merchant), revision);
    });

    it('a deleted variation is restored when it is listed again', async () => {
      const whole = draft('A', {}, [
        { identifier: 'v1', quantity: 3 },
        { identifier: 'v2', quantity: 4 },
      ]);
      const product = await productOf(whole, draft('A', {}, [{ identifier: 'v1' }]), whole);
      assert.deepEqual(
        product.variations.map(({ deleted_at }) => deleted_at),
        [null, null],
      );
      assert.equal(product.available_quantity, 7);
    });

    it('an empty list deletes all variations, and a missing list deletes none', async () => {
      const first = draft('A', {}, [{ identifier: 'v1', quantity: 9 }]);
      const none = await productOf(first, draft('A', {}, []));
      assert.notEqual(none.variations[0]?.deleted_at, null);
      assert.deepEqual([none.available_quantity, none.status], [0, 'sold_out']);
      const silent = await productOf(first, draft('A', { title: 'T' }));
      assert.equal(silent.variations[0]?.deleted_at, null);
      assert.equal(silent.status, 'in_stock');
    });

    it('the stock is the sum over variations that are neither disabled nor deleted', async () => {
      const product = await productOf(
        draft('A', { available_quantity: 1000 }, [
          { identifier: 'v1', quantity: 1 },
          { identifier: 'v2', quantity: 20, disabled_at: TIME },
          { identifier: 'v3', quantity: 300, deleted_at: TIME },
          { identifier: 'v4', quantity: null },
          { identifier: 'v5', quantity: 4000 },
        ]),
      );
      assert.equal(product.available_quantity, 4001);
    });

    it('a variation of another product rejects the whole row, in the same batch and in a later one', async () => {
      const merchant = await store().newMerchant();
      const thief = (identifier: string): ProductDraft =>
        draft(identifier, { title: 'stolen' }, [{ identifier: 'own' }, { identifier: 'v1' }]);
      await importDrafts(store(), merchant, [[draft('A', {}, [{ identifier: 'v1' }])]]);
      const contents = await store().contents();
      for (const rows of [[thief('B')], [thief('B'), thief('B')]]) {
        const { rejections, ...summary } = await importDrafts(store(), merchant, [rows]);
        assert.deepEqual(summary, {
          created: 0,
          updated: 0,
          unchanged: 0,
          rejected: rows.length,
          repeated: 0,
          changed_fields: {},
        });
        const reason = 'this variation belongs to another product';
        assert.deepEqual(rejections[0], {
          line: 1,
          identifier: 'B',
          column: 'variations',
          value: 'v1',
          reason,
        });
      }
      assert.deepEqual(await store().contents(), contents);
      const { created, rejected } = await importDrafts(store(), merchant, [
        [draft('C', {}, [{ identifier: 'v9' }]), draft('D', {}, [{ identifier: 'v9' }])],
      ]);
      assert.deepEqual([created, rejected], [1, 1]);
      assert.equal(await productIdentifierOf(merchant, 'v9'), 'C');
    });

    it('another merchant may have a variation with the same identifier', async () => {
      const [one, other] = [await store().newMerchant(), await store().newMerchant()];
      for (const [merchant, product] of [
        [one, 'A'],
        [other, 'B'],
      ] as const) {
        const { rejected } = await importDrafts(store(), merchant, [
          [draft(product, {}, [{ identifier: 'v1' }])],
        ]);
        assert.equal(rejected, 0);
        assert.equal(await productIdentifierOf(merchant, 'v1'), product);
      }
    });
  });

  describe('the status of a product that is imported without one', () => {
    const derived: [fields: ProductDraft['fields'], status: string][] = [
      [{ deleted_at: TIME, disabled_at: TIME, available_quantity: 9 }, 'deleted'],
      [{ disabled_at: TIME, available_quantity: 9 }, 'disabled'],
      [{ disabled_at: TIME }, 'disabled'],
      [{}, 'enabled'],
      [{ available_quantity: null }, 'enabled'],
      [{ available_quantity: 0 }, 'sold_out'],
      [{ available_quantity: 1 }, 'low_inventory'],
      [{ available_quantity: 5 }, 'low_inventory'],
      [{ available_quantity: 6 }, 'in_stock'],
    ];
    for (const [fields, status] of derived) {
      it(`is ${status} for ${JSON.stringify(fields)}`, async () => {
        assert.equal((await productOf(draft('A', fields))).status, status);
        assert.equal((await productOf(draft('A', { ...fields, status: null }))).status, status);
      });
    }

    it('follows the setting LOW_INVENTORY', async () => {
      const merchant = await store().newMerchant();
      const drafts = [0, 1, 2, 3].map((available_quantity) =>
        draft(`P${available_quantity}`, { available_quantity }),
      );
      const statuses = async (lowInventory: number): Promise<string[]> => {
        await importDrafts(store(), merchant, [drafts], { lowInventory });
        return (await allProducts(store(), merchant)).map(({ status }) => status);
      };
      assert.deepEqual(await statuses(0), ['sold_out', 'in_stock', 'in_stock', 'in_stock']);
      assert.deepEqual(await statuses(2), ['sold_out', 'low_inventory', 'low_inventory', 'in_stock']);
    });

    it('is derived again when the stock changes, except for moderation, `disabled` and `deleted`', async () => {
      const stocked = draft('A', { available_quantity: 100 });
      const empty = draft('A', { available_quantity: 0 });
      const statusAfter = async (...drafts: ProductDraft[]): Promise<string> =>
        (await productOf(...drafts)).status;
      assert.equal(await statusAfter(stocked, empty), 'sold_out');
      for (const status of ['banned', 'problematic', 'disabled', 'deleted'] as const) {
        assert.equal(await statusAfter(draft('A', { ...stocked.fields, status }), empty), status);
      }
      for (const status of ['enabled', 'low_inventory', 'sold_out'] as const) {
        const stated = draft('A', { ...stocked.fields, status });
        assert.equal(await statusAfter(stated, draft('A', { title: 'T' })), status);
        assert.equal(await statusAfter(stated, draft('A', { title: 'T' }), empty), 'sold_out');
      }
    });

    it('is derived again for null, but only another status lifts a ban', async () => {
      for (const [status, expected] of [
        ['banned', 'banned'],
        ['problematic', 'problematic'],
        ['enabled', 'in_stock'],
        ['disabled', 'in_stock'],
        ['deleted', 'in_stock'],
      ] as const) {
        const stated = draft('A', { available_quantity: 100, status });
        assert.equal((await productOf(stated, draft('A', { status: null }))).status, expected);
        const lifted = [draft('A', { status: 'enabled' }), draft('A', { status: null })];
        assert.equal((await productOf(stated, ...lifted)).status, 'in_stock');
      }
    });

    it('follows the stock again when `disabled_at` is cleared', async () => {
      const disabled = draft('A', { available_quantity: 100, disabled_at: TIME });
      assert.equal((await productOf(disabled)).status, 'disabled');
      assert.equal((await productOf(disabled, draft('A', { disabled_at: null }))).status, 'in_stock');
    });

    it('is `enabled` while stock is not tracked, even when the record is sent back', async () => {
      const untracked = await productOf(draft('A', { title: 'T' }));
      assert.deepEqual([untracked.status, untracked.available_quantity], ['enabled', 0]);
      const { internal_id: _, identifier: __, variations: ___, ...record } = untracked;
      const back = [draft('A', record, []), draft('A', { title: 'U', status: null })];
      assert.equal((await productOf(...back)).status, 'enabled');
      assert.equal((await productOf(...back, draft('A', { available_quantity: 0 }))).status, 'sold_out');
      const cleared = [draft('A', { available_quantity: 3 }), draft('A', { available_quantity: null })];
      assert.equal((await productOf(...cleared)).status, 'enabled');
    });
  });

  it('a product that occurs twice in a file is reported, and the later row takes effect', async () => {
    const merchant = await store().newMerchant();
    const { rejections: _, ...summary } = await importDrafts(store(), merchant, [
      [draft('A', { title: '1' }), draft('A', { title: '2' })],
      [draft('A', { title: '3' })],
    ]);
    assert.deepEqual(summary, {
      created: 1,
      updated: 2,
      unchanged: 0,
      rejected: 0,
      repeated: 2,
      changed_fields: { title: 2 },
    });
    assert.equal((await allProducts(store(), merchant))[0]?.title, '3');
  });

  it('an import of rows whose stored records are large changes at most 32 MiB of them in a transaction', async () => {
    const merchant = await store().newMerchant();
    const names = Array.from({ length: 70 }, (_, index) => `BIG-${index}`);
    await importDrafts(store(), merchant, [names.map((name) => draft(name))]);
    await enlargeRecords(store(), merchant, 1024 * 1024);
    const { importProducts } = await import('../../src/products/files/import-products.ts');
    async function* rows() {
      const named = { merchant: String(merchant.id) };
      yield names.map((name, line) => ({ line, item: { ...draft(name, { retail_price: 1 }), ...named } }));
    }
    const updated: number[] = [];
    const options = {
      merchants: itemMerchants(store().database, undefined),
      dryRun: false,
      onRejected: () => {},
      onRepeated: () => {},
      onCounted: (summary: { updated: number }) => void updated.push(summary.updated),
    };
    await importProducts(
      { ...store(), who: OPERATOR, lowInventory: 5, authority: 'operator' },
      rows(),
      options,
    );
    assert.deepEqual(updated, [27, 54, 70]);
  });

  it('an import keeps the rows before the point at which its file cannot be read', async () => {
    const merchant = await store().newMerchant();
    const { importProducts } = await import('../../src/products/files/import-products.ts');
    async function* broken() {
      yield [{ line: 1, item: { ...draft('A'), merchant: String(merchant.id) } }];
      throw new Error('cut short');
    }
    const merchants = itemMerchants(store().database, undefined);
    const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
    const settings = { ...store(), who: OPERATOR, lowInventory: 5, authority: 'operator' } as const;
    await assert.rejects(importProducts(settings, broken(), options), /cut short/);
    assert.deepEqual(
      (await allProducts(store(), merchant)).map(({ identifier }) => identifier),
      ['A'],
    );
  });
});
