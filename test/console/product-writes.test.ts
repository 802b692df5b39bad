import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConsoleError } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { auditLogOf } from '../support/audit.ts';
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

  const save = (client: ConsoleClient, id: number, json: object, etag = '*'): Promise<ClientResponse> =>
    client.request('POST', '/v1/products/update', {
      json: { internal_id: id, ...json },
      headers: { 'if-match': etag },
    });

  it('a saved product is what the API returns, and its ETag is the one for the next save', async () => {
    const { merchant, client, id } = await shop();
    const read = await client.get(`/v1/products/retrieve?internal_id=${id}`);
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

  it('412: a product that has changed is not overwritten', async () => {
    const { merchant, client, id } = await shop();
    const etag = (await client.get(`/v1/products/retrieve?internal_id=${id}`)).header('etag');
    await service().request('POST', '/products/update', {
      form: { access_token: merchant.token, identifier: 'POT', title: 'Jug' },
    });
    const before = await allProducts(service(), merchant);
    for (const action of ['update', 'disable', 'enable', 'delete']) {
      const json = { identifier: 'POT', ...(action === 'update' && { title: 'Vase' }) };
      const headers = { 'if-match': etag ?? '' };
      const response = await client.request('POST', `/v1/products/${action}`, { json, headers });
      assert.equal(response.status, 412);
      assert.deepEqual(await allProducts(service(), merchant), before);
    }
    assert.equal(before[0]?.title, 'Jug');
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
  });

  it('enables, disables and deletes a product, and creates it again', async () => {
    const { client, id } = await shop();
    const act = async (action: string): Promise<Product> =>
      accepted<Product>(await client.post(`/v1/products/${action}`, { identifier: 'POT' }));
    assert.equal((await act('disable')).status, 'disabled');
    assert.equal((await act('enable')).status, 'low_inventory');
    assert.equal((await act('delete')).status, 'deleted');
    assert.equal((await save(client, id, { title: 'Vase' })).status, 400);
    const created = await client.post('/v1/products', { identifier: 'POT', title: 'New' });
    assert.deepEqual([accepted<Product>(created).title, accepted<Product>(created).internal_id], ['New', id]);
    const taken = await client.post('/v1/products', { identifier: 'POT', title: 'Again' });
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
      const response = await client.post(`/v1/variations/${action}`, { identifier });
      const api = await service().get('/variations/retrieve', merchant, { identifier });
      assert.equal(accepted(response) && response.text, api.text);
      const [product] = await allProducts(service(), merchant);
      assert.equal(product?.available_quantity, quantity);
    }
    assert.equal((await client.post('/v1/variations/enable', { identifier })).status, 400);
    const again = { product_identifier: 'POT', identifier, size: 'M', color: 'Red', quantity: 3 };
    const created = await client.post('/v1/variations', again);
    const api = await service().get('/variations/retrieve', merchant, { identifier });
    assert.equal(accepted(created) && created.text, api.text);
    assert.equal((await allProducts(service(), merchant))[0]?.available_quantity, 3);
    const taken = (await client.post('/v1/variations', again)).json<ConsoleError>();
    assert.deepEqual(
      taken.fields?.map(({ name }) => name),
      ['identifier'],
    );
    const elsewhere = await client.post('/v1/variations', { ...again, product_identifier: 'NONE' });
    assert.equal(elsewhere.status, 404);
    assert.equal((await client.post('/v1/variations/enable', { identifier: 'none' })).status, 404);
  });

  it('each save leaves one entry in the audit log, with the user, the product and the changed fields', async () => {
    const { merchant, client, id } = await shop();
    const added = async (work: () => Promise<ClientResponse>): Promise<(string | null)[][]> => {
      const read = () => auditLogOf(service(), client);
      const before = await read();
      await work();
      const after = await read();
      const user = before.find(({ action }) => action === 'user.signed_in')?.who;
      const known = new Set(before.map(({ id }) => id));
      const entries = after.filter(({ id }) => !known.has(id));
      for (const { who } of entries) assert.equal(who, user);
      return entries.map(({ action, subject }) => [action, subject]);
    };
    const changes = { title: 'Vase', buy_now_price: 9.99, variations: { M: { quantity: 0 } } };
    assert.deepEqual(await added(() => save(client, id, changes)), [
      ['product.changed', 'POT: title, buy_now_price, quantity'],
    ]);
    assert.deepEqual(await added(() => save(client, id, changes)), [], 'the same values again');
    assert.deepEqual(await added(() => save(client, id, { title: null })), [], 'a rejected save');
    assert.deepEqual(
      await added(() => save(client, id, { title: 'Jug' }, '"another"')),
      [],
      'an overtaken save',
    );
    const form = { access_token: merchant.token, identifier: 'POT', title: 'Jug' };
    assert.deepEqual(
      await added(() => service().request('POST', '/products/update', { form })),
      [],
      'the API',
    );
    const onProduct = (action: string) =>
      added(() => client.post(`/v1/products/${action}`, { identifier: 'POT' }));
    assert.deepEqual(await onProduct('disable'), [['product.disabled', 'POT']]);
    assert.deepEqual(await onProduct('disable'), []);
    assert.deepEqual(await onProduct('enable_catalog_only'), [['product.catalog_only', 'POT']]);
    assert.deepEqual(await onProduct('enable_catalog_only'), []);
    assert.deepEqual(await onProduct('enable'), [['product.enabled', 'POT']]);
    assert.deepEqual(await onProduct('enable_catalog_only'), [['product.catalog_only', 'POT']]);
    assert.deepEqual(await onProduct('enable'), [['product.enabled', 'POT']]);
    const onVariation = (action: string) =>
      added(() => client.post(`/v1/variations/${action}`, { identifier: 'M' }));
    assert.deepEqual(await onVariation('disable'), [['product.changed', 'POT: variations']]);
    assert.deepEqual(await onVariation('disable'), []);
    assert.deepEqual(await onProduct('delete'), [['product.deleted', 'POT']]);
    for (const identifier of ['POT', 'LAMP']) {
      const create = () => client.post('/v1/products', { identifier, title: 'New' });
      assert.deepEqual(await added(create), [['product.created', identifier]]);
    }
  });

  it('saves that arrive together leave an entry each', async () => {
    const { client, id } = await shop();
    const saves = ['Vase', 'Jug', 'Bowl'].map((title) => save(client, id, { title }));
    for (const response of await Promise.all(saves)) accepted(response);
    const entries = await auditLogOf(service(), client);
    const subjects = entries
      .filter(({ action }) => action === 'product.changed')
      .map(({ subject }) => subject);
    assert.deepEqual(subjects, ['POT: title', 'POT: title', 'POT: title']);
  });
});
