import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConsoleError, ProductConflict } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { accepted } from '../support/writes.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  async function shop(): Promise<{ merchant: TestMerchant; client: ConsoleClient; id: number }> {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const variations = [{ identifier: 'M', quantity: 3, size: 'M', color: 'Red' }];
    const pot = draft('POT', { title: 'Pot', buy_now_price: 12.5, condition: 'Mint' }, variations);
    await importDrafts(service(), merchant, [[pot]]);
    const [product] = await allProducts(service(), merchant);
    return { merchant, client, id: product?.internal_id ?? 0 };
  }

  const save = (client: ConsoleClient, id: number, json: unknown, etag = '*'): Promise<ClientResponse> =>
    client.request('POST', `/products/${id}`, { json, headers: { 'if-match': etag } });

  it('a saved product is what the API returns, and its ETag is the one for the next save', async () => {
    const { merchant, client, id } = await shop();
    const read = await client.get(`/products/${id}`);
    const saved = await save(
      client,
      id,
      { title: 'Vase', brand: 'Ümit', buy_now_price: 9.99, variations: { M: { quantity: 7 } } },
      read.header('etag'),
    );
    const product = accepted<Product>(saved);
    assert.deepEqual(
      [product.title, product.brand, product.buy_now_price, product.available_quantity],
      ['Vase', 'Ümit', 9.99, 7],
    );
    const api = await service().get('/products/retrieve', merchant, { identifier: 'POT' });
    assert.equal(saved.text, api.text);
    assert.equal(saved.header('etag'), api.header('etag'));
    const cleared = await save(client, id, { brand: null }, saved.header('etag'));
    assert.equal(accepted<Product>(cleared).brand, null);
    const { results } = (await client.get('/products?query=vas')).json<{ results: Product[] }>();
    assert.deepEqual(
      results.map(({ identifier }) => identifier),
      ['POT'],
    );
  });

  it('a product that has changed is not overwritten: the response is 412 with the current one', async () => {
    const { merchant, client, id } = await shop();
    const etag = (await client.get(`/products/${id}`)).header('etag');
    await service().request('POST', '/products/update', {
      form: { access_token: merchant.token, identifier: 'POT', title: 'Jug' },
    });
    for (const path of ['', '/disable', '/enable', '/delete']) {
      const json = path === '' ? { title: 'Vase' } : {};
      const headers = { 'if-match': etag ?? '' };
      const response = await client.request('POST', `/products/${id}${path}`, { json, headers });
      assert.equal(response.status, 412);
      const { message, current } = response.json<ProductConflict>();
      assert.equal(message, 'The product has changed since you opened it.');
      assert.deepEqual([current], await allProducts(service(), merchant));
      assert.equal(current.title, 'Jug');
      const api = await service().get('/products/retrieve', merchant, { identifier: 'POT' });
      assert.equal(response.header('etag'), api.header('etag'));
    }
  });

  it('an invalid save changes nothing, and has the messages of the API, by field', async () => {
    const { merchant, client, id } = await shop();
    const before = await allProducts(service(), merchant);
    const json = {
      title: null,
      buy_now_price: -1,
      condition: 'Fine',
      sales_count: 5,
      days_to_deliver: '2.5',
      variations: { M: { quantity: -1 } },
    };
    const ours = await save(client, id, json);
    const api = await service().request('POST', `/products/update?access_token=${merchant.token}`, {
      json: { identifier: 'POT', ...json },
    });
    assert.deepEqual([ours.status, ours.message], [400, api.message]);
    const { fields = [] } = ours.json<ConsoleError>();
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['buy_now_price', 'days_to_deliver', 'variations[M][quantity]'],
    );
    const second = (
      await save(client, id, { title: null, condition: 'Fine', sales_count: 5 })
    ).json<ConsoleError>();
    assert.deepEqual(second.fields?.map(({ name }) => name).sort(), ['condition', 'sales_count', 'title']);
    assert.deepEqual(await allProducts(service(), merchant), before);
    const unknown = await save(client, id, { identifier: 'OTHER' });
    assert.match(unknown.message, /identifier/);
  });

  it('enables, disables and deletes a product, and creates it again', async () => {
    const { client, id } = await shop();
    const act = async (action: string): Promise<Product> =>
      accepted<Product>(await client.post(`/products/${id}/${action}`));
    assert.equal((await act('disable')).status, 'disabled');
    assert.equal((await act('enable')).status, 'low_inventory');
    assert.equal((await act('delete')).status, 'deleted');
    assert.equal((await save(client, id, { title: 'Vase' })).status, 400);
    const created = await client.post('/products', { identifier: 'POT', title: 'New' });
    assert.deepEqual([accepted<Product>(created).title, accepted<Product>(created).internal_id], ['New', id]);
    const taken = await client.post('/products', { identifier: 'POT', title: 'Again' });
    assert.deepEqual(
      taken.json<ConsoleError>().fields?.map(({ name }) => name),
      ['identifier'],
    );
  });

  it('disables, enables and deletes a variation, and creates it again, as the API does', async () => {
    const { merchant, client } = await shop();
    const identifier = 'M';
    for (const [action, quantity] of [
      ['disable', 0],
      ['enable', 3],
      ['delete', 0],
    ] as const) {
      const response = await client.post(`/variations/${action}`, { identifier });
      const api = await service().get('/variations/retrieve', merchant, { identifier });
      assert.equal(accepted(response) && response.text, api.text);
      const [product] = await allProducts(service(), merchant);
      assert.equal(product?.available_quantity, quantity);
    }
    assert.equal((await client.post('/variations/enable', { identifier })).status, 400);
    const again = { product_identifier: 'POT', identifier, size: 'M', color: 'Red', quantity: 3 };
    const created = await client.post('/variations', again);
    const api = await service().get('/variations/retrieve', merchant, { identifier });
    assert.equal(accepted(created) && created.text, api.text);
    assert.equal((await allProducts(service(), merchant))[0]?.available_quantity, 3);
    const taken = (await client.post('/variations', again)).json<ConsoleError>();
    assert.deepEqual(
      taken.fields?.map(({ name }) => name),
      ['identifier'],
    );
    const elsewhere = await client.post('/variations', { ...again, product_identifier: 'NONE' });
    assert.equal(elsewhere.status, 404);
    assert.equal((await client.post('/variations/enable', { identifier: 'none' })).status, 404);
  });

  it('rejects paths and pages that are not its own', async () => {
    const { client } = await shop();
    for (const id of ['999', 'POT', '-1', '1.5'])
      assert.equal((await client.post(`/products/${id}`, { title: 'A' })).status, 404, id);
    const foreign = await client.request('POST', '/products', { json: {}, site: 'cross-site' });
    assert.equal(foreign.status, 403);
  });
});
