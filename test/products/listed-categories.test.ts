import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Product } from '../../src/products/record/product.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi } from '../support/imports.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { useTwoNodes } from '../support/two-nodes.ts';

const REASON = 'expected one of the marketplace’s categories, which GET metadata/categories lists';
const REFUSED = new RegExp(`^category: ${REASON}\\.$`);

forEachEngine((engine) => {
  const nodes = useTwoNodes(engine, () => ({ environment: { ONLY_LISTED_CATEGORIES: 'on' } }));
  const service = (): TestService => nodes()[0];
  let operator: string;
  before(async () => {
    operator = await service().newOperatorToken();
  });
  const setCategories = async (...entries: string[]): Promise<void> => {
    const json = { entries };
    const { status, text } = await service().operator('PUT', '/metadata/categories', operator, { json });
    assert.equal(status, 200, text);
  };
  const post = (
    path: string,
    form: Record<string, string>,
    { token }: TestMerchant,
  ): Promise<ClientResponse> => service().request('POST', path, { form: { ...form, access_token: token } });
  const categoryOf = async (identifier: string, merchant: TestMerchant): Promise<string | null> =>
    (await service().get('/products/retrieve', merchant, { identifier })).json<Product>().category;

  describe('with ONLY_LISTED_CATEGORIES, and categories that the operator has set', () => {
    let merchant: TestMerchant;
    before(async () => {
      await setCategories('Home | Garden', 'Home | Kitchen', 'Toys');
      merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('OLD', { category: 'Antiques' })]]);
    });

    it('a call may state only these, exactly, and any or no category is kept or cleared', async () => {
      const create = { identifier: 'A', title: 'Pot', category: 'Home|Garden' };
      assert.equal((await post('/products', create, merchant)).status, 200);
      for (const category of ['Garden', 'Home', 'home | garden', 'Home | Garden | Pots']) {
        expectError(await post('/products/update', { identifier: 'A', category }, merchant), 400, REFUSED);
        expectError(
          await post('/products', { ...create, identifier: 'B', category }, merchant),
          400,
          REFUSED,
        );
      }
      assert.equal(await categoryOf('A', merchant), 'Home | Garden');
      const kept = { identifier: 'OLD', category: 'Antiques', title: 'Clock' };
      assert.equal((await post('/products/update', kept, merchant)).status, 200);
      const json = { identifier: 'A', category: null, access_token: merchant.token };
      assert.equal((await service().request('POST', '/products/update', { json })).status, 200);
      assert.equal(await categoryOf('A', merchant), null);
      assert.equal(
        (await post('/products/update', { identifier: 'A', title: 'Pots' }, merchant)).status,
        200,
      );
      assert.equal(
        (await post('/products', { identifier: 'C', title: 'No category' }, merchant)).status,
        200,
      );
      for (const path of ['/products/delete', '/products'])
        assert.equal(
          (await post(path, { ...(path === '/products' && kept), identifier: 'OLD' }, merchant)).status,
          200,
        );
      assert.equal(await categoryOf('OLD', merchant), 'Antiques');
    });

    it('a line of a batch and a row of a file that states another one is rejected by name', async () => {
      await importDrafts(service(), merchant, [[draft('KEPT', { category: 'Antiques' })]]);
      const response = await service().request('POST', '/products/batch', {
        json: [
          { identifier: 'D', title: 'D', category: 'Toys' },
          { identifier: 'E', title: 'E', category: 'Tools' },
          { identifier: 'KEPT', category: 'Toys' },
          { identifier: 'KEPT', category: 'Antiques' },
          { identifier: 'D', category: 'Home | Kitchen' },
          { identifier: 'D', category: 'Toys', brand: 'Northwind' },
        ],
        headers: { authorization: `Bearer ${merchant.token}` },
      });
      const { results } = response.json<{ results: { result: string; errors: object[] }[] }>();
      const rejected = { name: 'category', reason: REASON };
      assert.deepEqual(
        results.map(({ result, errors }) => [result, ...errors]),
        [['created'], ['rejected', rejected], ['updated'], ['rejected', rejected], ['updated'], ['updated']],
      );
      const file = 'identifier,title,category\nF,F,Toys\nG,G,Tools\nKEPT,K,Toys\n';
      const { id } = await importFileByApi(service(), merchant, file);
      const rows = (await service().get('/imports/rejects', merchant, { id })).json<object[]>();
      assert.deepEqual(
        rows.map((row) => ({ ...row, identifier: undefined })),
        [{ line: 3, name: 'category', value: 'Tools', reason: REASON, identifier: undefined }],
      );
      assert.equal(await categoryOf('F', merchant), 'Toys');
    });

    it('also limit test keys, and neither the operator’s files nor its streams', async () => {
      const { token } = await service().newTestKey(merchant);
      const test = { ...merchant, token };
      expectError(
        await post('/products', { identifier: 'T', title: 'T', category: 'Tools' }, test),
        400,
        REFUSED,
      );
      const imported = await importDrafts(service(), merchant, [[draft('H', { category: 'Tools' })]]);
      assert.deepEqual([imported.created, imported.rejected], [1, 0]);
      const path = `/merchants/${merchant.id}/products`;
      const streamed = await service().operator('POST', path, operator, {
        body: '{"identifier":"I","category":"Tools"}\n',
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(streamed.json<{ created: number }>().created, 1, streamed.text);
    });

    it('a change of the list applies to the next write, on every node', async () => {
      const [, other] = nodes();
      const stated = { identifier: 'J', title: 'J', category: 'Music' };
      const asOther = { form: { ...stated, access_token: merchant.token } };
      expectError(await other.request('POST', '/products', asOther), 400, REFUSED);
      await setCategories('Music');
      assert.equal((await other.request('POST', '/products', asOther)).status, 200);
      assert.deepEqual((await other.get('/metadata/categories', merchant)).json(), ['Music']);
      expectError(
        await post('/products', { identifier: 'K', title: 'K', category: 'Toys' }, merchant),
        400,
        REFUSED,
      );
    });
  });

  it('with ONLY_LISTED_CATEGORIES, any category may be stated until the operator has set some', async () => {
    const merchant = await service().newMerchant();
    const state = (identifier: string): Promise<ClientResponse> =>
      post('/products', { identifier, title: 'L', category: `Anything ${identifier}` }, merchant);
    await setCategories('Toys');
    expectError(await state('1'), 400, REFUSED);
    await setCategories();
    assert.equal((await state('2')).status, 200);
    await setCategories('Toys');
    await service().operator('DELETE', '/metadata/categories', operator);
    assert.equal((await state('3')).status, 200);
  });

  it('without ONLY_LISTED_CATEGORIES, the operator’s categories are suggestions', async () => {
    await using other = await startTestService(engine);
    const merchant = await other.newMerchant();
    const token = await other.newOperatorToken();
    await other.operator('PUT', '/metadata/categories', token, { json: { entries: ['Toys'] } });
    const form = { identifier: 'M', title: 'M', category: 'Tools', access_token: merchant.token };
    assert.equal((await other.request('POST', '/products', { form })).status, 200);
  });
});
