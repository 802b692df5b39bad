import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleImport, StartedUndo } from '../../src/console/catalog-api.ts';
import type { Import } from '../../src/imports/import-record.ts';
import type { ProductHistory } from '../../src/products/history/list-history.ts';
import type { Product } from '../../src/products/record/product.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi, untilEnded } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { leftAlone, startUndo, untilUndone } from '../support/undo.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN = '01a1fe4d-7ee8-7b5f-8ec9-1415d7de7fe4';

forEachEngine((engine) => {
  describe('POST imports/undo', () => {
    const service = useService(engine);

    const productsOf = async (merchant: TestMerchant): Promise<Map<string, Product>> =>
      new Map((await allProducts(service(), merchant)).map((product) => [product.identifier, product]));

    async function post(merchant: { token: string }, path: string, json: unknown): Promise<void> {
      const headers = { authorization: `Bearer ${merchant.token}` };
      const response = await service().request('POST', path, { json, headers });
      assert.equal(response.status, 200, response.text);
    }

    async function newestChange(merchant: TestMerchant, identifier: string): Promise<string> {
      const history = await service().get('/products/history', merchant, { identifier });
      return history.json<ProductHistory>().results[0]?.change_id ?? '';
    }

    /** A merchant whose file changed A and B, created N and O, after which A's price and O changed. */
    async function newShop(): Promise<{ merchant: TestMerchant; imported: Import }> {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [
        [
          draft('A', { title: 'Pot', buy_now_price: 9, brand: 'Acme' }),
          draft('B', { title: 'Bowl' }, [{ identifier: 'B-1', quantity: 1 }]),
        ],
      ]);
      service().passTime(60_000);
      const file =
        'identifier,title,buy_now_price,variation_identifier,variation_quantity\n' +
        'A,Pots,8,,\nB,Bowls,7,B-1,4\nB,,,B-2,2\nN,New,1,,\nO,Old,1,,\n';
      const imported = await importFileByApi(service(), merchant, file, { query: { name: 'catalog.csv' } });
      assert.deepEqual([imported.updated, imported.created], [2, 2]);
      await post(merchant, '/products/update', { identifier: 'A', buy_now_price: 10 });
      await post(merchant, '/products/update', { identifier: 'O', brand: 'Brio' });
      service().passTime(60_000);
      return { merchant, imported };
    }

    it('returns what an import set, deletes what it created, and lists what was changed since', async () => {
      const { merchant, imported } = await newShop();
      const response = await startUndo(service(), merchant, { import_id: imported.id });
      assert.match(response.header('location'), /^retrieve\?id=/);
      const undo = await untilUndone(service(), merchant, response);
      assert.equal(undo.name, 'Undo: catalog.csv · 4 products');
      assert.deepEqual([undo.updated, undo.rejected], [3, 2]);
      const products = await productsOf(merchant);
      const [a, b] = [products.get('A'), products.get('B')];
      assert.deepEqual([a?.title, a?.buy_now_price, b?.title, b?.buy_now_price], ['Pot', 10, 'Bowl', null]);
      assert.deepEqual(
        b?.variations.map(({ identifier, quantity, deleted_at: at }) => [identifier, quantity, at !== null]),
        [
          ['B-1', 1, false],
          ['B-2', 2, true],
        ],
      );
      assert.deepEqual([products.get('N')?.status, products.get('O')?.status], ['deleted', 'enabled']);
      const left = await leftAlone(service(), merchant, undo.id);
      assert.deepEqual(
        left.map(({ identifier, name, value, reason }) => [identifier, name, value, reason]),
        [
          ['O', 'identifier', '', 'created by the change, and changed since; it stays'],
          ['O', 'brand', 'Brio', 'set since the product was created'],
          ['A', 'buy_now_price', '10', 'the change set 8, and it has been set to 10 since; it stays'],
        ],
      );
      const again = await startUndo(service(), merchant, { import_id: imported.id });
      const repeated = await untilUndone(service(), merchant, again);
      assert.deepEqual([repeated.updated, repeated.rejected], [0, 2]);
      const redo = await startUndo(service(), merchant, { import_id: undo.id, dry_run: true });
      assert.equal(redo.json<Import>().name, 'Redo: catalog.csv · 3 products');
      assert.equal((await untilEnded(service(), merchant, redo.json<Import>().id)).updated, 3);
    });

    it('undoes one call of several that share a transaction, and with dry_run only checks it', async () => {
      const merchant = await service().newMerchant();
      const names = ['A', 'B', 'C'];
      for (const identifier of names) await post(merchant, '/products', { identifier, title: 'Before' });
      const calls = names.map((identifier) =>
        post(merchant, '/products/update', { identifier, title: 'After' }),
      );
      await Promise.all(calls);
      const change_id = await newestChange(merchant, 'B');
      const titles = async () => [...(await productsOf(merchant)).values()].map(({ title }) => title);
      const dry = await startUndo(service(), merchant, { change_id, dry_run: true });
      const checked = await untilEnded(service(), merchant, dry.json<Import>().id);
      assert.deepEqual([checked.status, checked.dry_run, checked.updated], ['checked', true, 1]);
      assert.match(checked.name, /^Undo: change of \w{3} \d+, \d{4}, \d+:\d\d [AP]M · 1 product$/);
      assert.deepEqual(await titles(), ['After', 'After', 'After']);
      await untilUndone(service(), merchant, await startUndo(service(), merchant, { change_id }));
      assert.deepEqual(await titles(), ['After', 'Before', 'After']);
      expectError(await startUndo(service(), merchant, { change_id }), 400, /^There is nothing to undo: /);
      const undoOfUndo = { change_id: await newestChange(merchant, 'B') };
      await untilUndone(service(), merchant, await startUndo(service(), merchant, undoOfUndo));
      assert.deepEqual(await titles(), ['After', 'After', 'After']);
    });

    it('restores what calls deleted, disabled and left untracked, with the former times', async () => {
      const merchant = await service().newMerchant();
      for (const identifier of ['A', 'B', 'C']) await post(merchant, '/products', { identifier, title: 'T' });
      await post(merchant, '/products/disable', { identifier: 'B' });
      const before = await productsOf(merchant);
      service().passTime(60_000);
      for (const [path, json] of [
        ['/products/delete', { identifier: 'A' }],
        ['/products/enable_catalog_only', { identifier: 'B' }],
        ['/products/update', { identifier: 'C', available_quantity: 0 }],
      ] as const) {
        await post(merchant, path, json);
        const change_id = await newestChange(merchant, json.identifier);
        await untilUndone(service(), merchant, await startUndo(service(), merchant, { change_id }));
      }
      const comparable = (products: Map<string, Product>) =>
        [...products.values()].map(({ updated_at: _, ...product }) => product);
      assert.deepEqual(comparable(await productsOf(merchant)), comparable(before));
    });

    it('leaves what only the operator sets, and lists it', async () => {
      const merchant = await service().newMerchant();
      const token = await service().newOperatorToken();
      await post(merchant, '/products', { identifier: 'A', title: 'Pot' });
      const json = { state: 'banned', reasons: [{ code: 'x', field: null, message: 'No.' }] };
      await service().operator('PUT', `/merchants/${merchant.id}/products/A/moderation`, token, { json });
      const change_id = await newestChange(merchant, 'A');
      const undo = await untilUndone(
        service(),
        merchant,
        await startUndo(service(), merchant, { change_id }),
      );
      assert.deepEqual([undo.updated, undo.rejected], [0, 1]);
      const [left] = await leftAlone(service(), merchant, undo.id);
      assert.deepEqual(
        [left?.name, left?.value, left?.reason],
        ['moderation', 'banned', 'only the marketplace operator sets it; it stays'],
      );
      assert.equal((await productsOf(merchant)).get('A')?.status, 'banned');
    });

    it('a change between the preview in the console and the import stays', async () => {
      const { merchant, imported } = await newShop();
      const console = await signedIn(service(), merchant);
      const response = await console.post('/imports/undo', { import_id: imported.id });
      assert.equal(response.status, 200, response.text);
      const { id } = response.json<StartedUndo>();
      const preview = await untilState(console, id, 'checked');
      assert.equal(preview.can_undo, false);
      assert.deepEqual(preview.changes?.find(({ identifier }) => identifier === 'A')?.fields, [
        { name: 'title', before: 'Pots', after: 'Pot' },
      ]);
      await post(merchant, '/products/update', { identifier: 'A', title: 'Mine' });
      assert.equal((await console.post(`/imports/${id}/import`)).status, 200);
      const done: ConsoleImport = await untilState(console, id, 'done');
      assert.deepEqual([done.summary?.updated, done.summary?.rejected], [2, 3]);
      assert.equal(done.can_undo, true);
      assert.equal((await productsOf(merchant)).get('A')?.title, 'Mine');
      const entries = await auditLogOf(service(), console);
      assert.equal(entries[0]?.subject, 'Undo: catalog.csv · 3 products');
      const viewer = await signedIn(service(), merchant, 'viewer');
      assert.equal((await viewer.post('/imports/undo', { import_id: imported.id })).status, 403);
    });

    it('an operator undoes an import of a merchant, who sees it in the audit log', async () => {
      const { merchant, imported } = await newShop();
      const token = await service().newOperatorToken();
      const path = `/merchants/${merchant.id}/imports/${imported.id}/undo`;
      const response = await service().operator('POST', path, token);
      assert.equal(response.status, 200, response.text);
      const undo = await untilEnded(service(), merchant, response.json<Import>().id);
      assert.deepEqual([undo.status, undo.created_by, undo.updated], ['done', 'operator', 3]);
      const other = await service().newMerchant();
      const foreign = `/merchants/${other.id}/imports/${imported.id}/undo`;
      assert.equal((await service().operator('POST', foreign, token)).status, 404);
      const reading = await service().newOperatorToken(['merchants']);
      assert.equal((await service().operator('POST', path, reading)).status, 403);
    });

    it('an operator undoes an import of test data there, and the live side stays as it is', async () => {
      const { merchant, imported } = await newShop();
      const testKey = await service().newTestKey(merchant);
      await post(testKey, '/products', { identifier: 'A', title: 'First' });
      const test = await importFileByApi(service(), testKey, 'identifier,title\nA,Second\n');
      const live = await productsOf(merchant);
      const token = await service().newOperatorToken();
      const path = `/merchants/${merchant.id}/imports/${test.id}/undo`;
      const response = await service().operator('POST', path, token);
      assert.equal(response.status, 200, response.text);
      await untilEnded(service(), testKey, response.json<Import>().id);
      const { title } = (
        await service().get('/products/retrieve', testKey, { identifier: 'A' })
      ).json<Product>();
      assert.equal(title, 'First');
      assert.deepEqual(await productsOf(merchant), live);
      // The history of the live side does not have it.
      expectError(await startUndo(service(), merchant, { import_id: test.id }), 404, /^The history has no/);
      assert.notEqual(test.id, imported.id);
    });

    it('404: another merchant’s changes and test data; 400: two names or none; 403: a key without the scope', async () => {
      const { merchant, imported } = await newShop();
      const change_id = await newestChange(merchant, 'A');
      const before = await productsOf(merchant);
      const other = await service().newMerchant();
      const testKey = await service().newTestKey(merchant);
      for (const key of [other, testKey])
        for (const name of [{ import_id: imported.id }, { change_id }])
          expectError(
            await startUndo(service(), key, name),
            404,
            /^The history has no change or import with/,
          );
      for (const change of ['x', '1-2-3', '99999999999999999999-0'])
        expectError(
          await startUndo(service(), merchant, { change_id: change }),
          404,
          `The history has no change or import with the ID ${change}.`,
        );
      const one = /^(import|change)_id: send either the ID of an import, or a change_id of the history/;
      expectError(await startUndo(service(), merchant, {}), 400, one);
      expectError(await startUndo(service(), merchant, { import_id: UNKNOWN, change_id }), 400, one);
      const reader = await createKey(service(), {
        merchantId: merchant.id,
        name: 'reader',
        scopes: ['read'],
        expiresAt: null,
      });
      expectError(await startUndo(service(), reader, { import_id: imported.id }), 403, /write/);
      assert.deepEqual(await productsOf(merchant), before);
    });

    it('a merchant’s file cannot state what lines of an undo state', async () => {
      const { merchant } = await newShop();
      const lines = [
        { identifier: 'A', times: { disabled_at: '2026-01-01T00:00:00Z' } },
        { identifier: 'B', variations: [], keep_variations: true, variation_order: ['B-2', 'B-1'] },
        { identifier: 'N', left: [] },
      ];
      const file = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const { id, rejected } = await importFileByApi(service(), merchant, file);
      assert.equal(rejected, 3);
      const left = await leftAlone(service(), merchant, id);
      assert.deepEqual(
        left.map(({ identifier, name, reason }) => [identifier, name, reason]),
        [
          ['A', 'times', 'unknown field'],
          ['B', 'variation_order', 'unknown field'],
          ['N', 'left', 'unknown field'],
        ],
      );
    });

    it('an Idempotency-Key gets the first response again, and another change with it is refused', async () => {
      const { merchant, imported } = await newShop();
      const headers = { 'idempotency-key': 'undo-1' };
      const json = { import_id: imported.id };
      const first = await startUndo(service(), merchant, json, headers);
      const repeated = await startUndo(service(), merchant, json, headers);
      assert.deepEqual([repeated.status, repeated.text], [202, first.text]);
      await untilUndone(service(), merchant, first);
      assert.equal((await startUndo(service(), merchant, json, headers)).text, first.text);
      const other = { change_id: await newestChange(merchant, 'A') };
      expectError(await startUndo(service(), merchant, other, headers), 400, /Idempotency-Key/);
    });

    it('400: an import that changed nothing; 404: a change that is older than the history', async () => {
      const { merchant, imported } = await newShop();
      const unchanged = await importFileByApi(service(), merchant, 'identifier,title\nA,Pots\n');
      assert.equal(unchanged.unchanged, 1);
      const nothing = await startUndo(service(), merchant, { import_id: unchanged.id });
      expectError(nothing, 400, /^There is nothing to undo: /);
      const change_id = await newestChange(merchant, 'A');
      service().passTime(91 * DAY_MS);
      const reason = 'too old to be undone: the history is kept for 90 days.';
      for (const [json, id] of [
        [{ change_id }, change_id],
        [{ import_id: imported.id }, imported.id],
      ] as const)
        expectError(await startUndo(service(), merchant, json), 404, `The change ${id} is ${reason}`);
    });
  });
});
