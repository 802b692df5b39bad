import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('errors that help', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  let operator: string;
  before(async () => {
    merchant = await service().newMerchant();
    operator = await service().newOperatorToken();
    const pot = draft('clay-pot', { category: 'Home > Old', title: 'Pot' });
    await importDrafts(service(), merchant, [[pot]]);
  });
  const post = (path: string, body: object | string, headers = JSON_BODY): Promise<ClientResponse> =>
    service().request('POST', `${path}?access_token=${merchant.token}`, {
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const list = (query: Record<string, string>): Promise<ClientResponse> =>
    service().get('/products', merchant, query);

  it('JSON that is sent as a form, or without a type, gets the type that it needs', async () => {
    for (const headers of [FORM, {} as typeof FORM]) {
      const response = await post('/products/update', '{"identifier":"clay-pot","retail_price":5}', headers);
      expectError(response, 400, /looks like JSON: send it with Content-Type: application\/json\.$/);
      assert.ok(!response.message.includes('clay-pot'));
    }
  });

  it('an unrecognized parameter gets the name that was probably meant, and all names of a short list', async () => {
    for (const [wrong, meant] of [
      ['per_pages', 'per_page'],
      ['limit', 'per_page'],
      ['Sort', 'sort'],
      ['since', 'changed_since'],
    ] as const) {
      const response = await list({ [wrong]: '1' });
      expectError(response, 400, new RegExp(` Did you mean ${meant}\\? Known: .*\\bper_page\\b.*, sort, `));
    }
    expectError(
      await list({ colour: '1' }),
      400,
      'The following parameters were provided but are not recognized: colour.',
    );
    const search = await service().get('/products/search', merchant, { query: 'a', q: 'a' });
    expectError(search, 400, / Did you mean query\? Known: query, /);
    expectError(
      await post('/products/update', { identifier: 'clay-pot', price: 3 }),
      400,
      /Did you mean buy_now_price\?$/,
    );
    expectError(await post('/products/update', { id: 'clay-pot' }), 400, /Did you mean identifier\?$/);
  });

  it('an unknown path gets the path that was probably meant, with its methods', async () => {
    const products = /Did you mean \/v1\/products \(GET: [^;]+; POST: [^;]+\)\?$/;
    for (const path of [
      '/v1/products/',
      '/v1/product',
      '/v1/products/create',
      '/v1/products/clay-pot',
      '/products',
    ])
      expectError(await service().client.request('GET', path), 404, products);
    expectError(
      await service().client.request('POST', '/v1/products/updaet.json'),
      404,
      /Did you mean \/v1\/products\/update \(POST: /,
    );
    expectError(
      await service().client.request('GET', '/operator/v1/merchant/seller-1'),
      404,
      /Did you mean \/operator\/v1\/merchants\/\{external_id\} \(/,
    );
    for (const path of ['/elsewhere', '/v2', `/v1/${'x'.repeat(5_000)}`])
      expectError(await service().client.request('GET', path), 404, /^There is nothing at [^ ]+\.$/);
  });

  it('a file in a field of another name gets the name of the field', async () => {
    const body = new FormData();
    body.append('upload', new Blob(['identifier,title\nA,A\n']), 'products.csv');
    const encoded = new Response(body);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    const response = await post('/imports', await encoded.text(), headers);
    expectError(response, 400, /the file must be the field file, not upload\.$/);
  });

  it('broken JSON gets the place of the error', async () => {
    const response = await post('/products/update', '{"identifier":"clay-pot",}');
    expectError(
      response,
      400,
      /it is not valid JSON at line 1, column 26: expected a name in double quotes\.$/,
    );
  });

  it('a status in an update gets the calls that change it', async () => {
    const response = await post('/products/update', { identifier: 'clay-pot', status: 'disabled' });
    expectError(
      response,
      400,
      /^status: read-only: .*products\/disable, products\/enable or products\/delete\.$/,
    );
  });

  it('a wrong method gets the right one in the message, and Allow has OPTIONS too', async () => {
    const response = await service().request('PUT', '/products/update');
    expectError(response, 405, /^PUT is not allowed on \/v1\/products\/update; use POST\.$/);
    assert.equal(response.headers.allow, 'POST, OPTIONS');
  });

  it('a time in changed_since gets what is expected instead', async () => {
    const response = await list({ changed_since: '2026-10-01' });
    expectError(response, 400, /^changed_since: .*expected start or a cursor .*times are not supported\.$/);
  });

  it('401: a token of the other API gets the API that accepts it, whether or not the token exists', async () => {
    for (const token of [operator, 'tpo_unknown']) {
      const response = await service().get('/products', { token });
      expectError(
        response,
        401,
        /it is the token of an operator key, which only the operator API accepts\.$/,
      );
    }
    for (const token of [merchant.token, 'tp_unknown', 'tpt_unknown'])
      expectError(
        await service().operator('GET', '/merchants', token),
        401,
        /it is the token of a merchant’s key/,
      );
  });

  it('the operator API names all invalid fields of a merchant at once', async () => {
    const put = (fields: object): Promise<ClientResponse> =>
      service().operator('PUT', '/merchants/seller-1', operator, {
        headers: JSON_BODY,
        body: JSON.stringify({ email: 'nobody', time_zone: 'Mars/Base', currency: 'XYZ', ...fields }),
      });
    const all = /^name: .+ email: .+ time_zone: .+ currency: "XYZ" .+\.$/;
    expectError(await put({ name: '12' }), 400, all);
    expectError(await put({}), 400, all);
  });

  it('a category with > between its levels is refused, unless the product has it already', async () => {
    const wrong = /^category: levels are separated by \|, as in Home \| Garden, and not by >\.$/;
    for (const category of ['Home > Garden', 'Home>Garden'])
      expectError(await post('/products/update', { identifier: 'clay-pot', category }), 400, wrong);
    expectError(await post('/products', { identifier: 'new', title: 'N', category: 'A > B' }), 400, wrong);
    for (const category of ['Home > Old', 'Laptops >15 inch', 'Home | Garden'])
      assert.equal(
        (await post('/products/update', { identifier: 'clay-pot', category })).status,
        200,
        category,
      );
  });

  it('404: a call of variations that names a product says so', async () => {
    const response = await post('/variations/update', { identifier: 'clay-pot', quantity: 1 });
    expectError(response, 404, /unique ID clay-pot\. It is a product: use .*products\/update\.$/);
    expectError(
      await post('/variations/update', { identifier: 'other', quantity: 1 }),
      404,
      /unique ID other\.$/,
    );
  });
});
