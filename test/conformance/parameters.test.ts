import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Pair = [name: string, value: string];

const places: { name: string; place(pairs: Pair[]): { query: string; sent: RequestOptions } }[] = [
  { name: 'the query', place: (pairs) => ({ query: String(new URLSearchParams(pairs)), sent: {} }) },
  {
    name: 'a form',
    place: (pairs) => ({
      query: '',
      sent: {
        body: String(new URLSearchParams(pairs)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    }),
  },
  {
    name: 'JSON',
    place: (pairs) => {
      const members = pairs.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
      return { query: '', sent: { body: `{${members}}`, headers: { 'content-type': 'application/json' } } };
    },
  },
  { name: 'multipart', place: (pairs) => ({ query: '', sent: { multipart: pairs } }) },
];

describe('parameters', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
    const products = ['A', 'B', 'C'].map((identifier) =>
      draft(identifier, { category: 'Home & Käse | Töpfe', status: 'enabled' }),
    );
    await importDrafts(service(), merchant, [products]);
  });

  const list = (query: string, sent: RequestOptions = {}): Promise<ClientResponse> =>
    service().request('GET', `/products.json?access_token=${merchant.token}&${query}`, sent);
  const listJson = (json: string): Promise<ClientResponse> =>
    list('', { body: json, headers: { 'content-type': 'application/json' } });

  for (const { name, place } of places) {
    const request = (pairs: Pair[]): Promise<ClientResponse> => {
      const { query, sent } = place(pairs);
      return list(query, sent);
    };

    describe(`in ${name}, on GET`, () => {
      it('200: reads every parameter', async () => {
        const response = await request([
          ['status', 'enabled'],
          ['category', 'Home & Käse | Töpfe'],
          ['page', '2'],
          ['per_page', '1'],
          ['sort', 'unique_id_descending'],
          ['pagination', 'true'],
        ]);
        assert.equal(response.status, 200, response.text);
        const { results, ...summary } = response.json<{ results: { identifier: string }[] }>();
        assert.deepEqual(
          results.map(({ identifier }) => identifier),
          ['B'],
        );
        assert.deepEqual(summary, { from: 2, to: 2, page: 2, per_page: 1, total_entries: 3 });
      });

      it('200: treats a blank value as missing', async () => {
        const blank = ['status', 'category', 'page', 'per_page', 'sort', 'pagination'].flatMap(
          (key): Pair[] => [
            [key, ''],
            [key, ' \t'],
          ],
        );
        const response = await request(blank);
        assert.equal(response.status, 200, response.text);
        assert.equal(response.text, (await list('')).text);
      });

      it('200: accepts the same value twice, or next to a blank one', async () => {
        const response = await request([
          ['per_page', '1'],
          ['per_page', ''],
          ['per_page', '1'],
        ]);
        assert.equal(response.json<unknown[]>().length, 1);
      });

      it('400: names every parameter with different values', async () => {
        const response = await request([
          ['page', '1'],
          ['page', '2'],
          ['sort', 'a'],
          ['sort', 'b'],
          ['status', 'enabled'],
        ]);
        const repeated = 'given more than once, with different values.';
        expectError(response, 400, `page: ${repeated} sort: ${repeated}`);
      });

      it('400: names every unrecognized parameter in one message', async () => {
        const response = await request([
          ['colour', 'red'],
          ['page', '1'],
          ['Größe', '1'],
          ['constructor', ''],
          ['__proto__', '1'],
        ]);
        expectError(response, 400, unrecognized('colour', 'Größe', 'constructor', '__proto__'));
      });

      it('400: names are case-sensitive, and not trimmed', async () => {
        expectError(
          await request([
            ['Page', '1'],
            [' page', '1'],
          ]),
          400,
          unrecognized('Page', ' page'),
        );
      });

      it('400: page[]=1 and page[a]=1 are not alternative forms of page', async () => {
        expectError(await request([['page[]', '1']]), 400, unrecognized('page[]'));
        expectError(await request([['page[a]', '1']]), 400, unrecognized('page[a]'));
      });

      it('400: names all problems in one message, with the expected values', async () => {
        const response = await request([
          ['status', 'sold'],
          ['category', 'A | B | C'],
          ['page', '0'],
          ['per_page', '1001'],
          ['sort', 'price'],
          ['pagination', 'yes'],
        ]);
        expectError(
          response,
          400,
          /^status: expected one of in_stock, .* category: expected .* page: expected .*1/,
        );
        assert.match(response.message, /per_page: expected .* 1000, not "1001"\./);
        assert.match(
          response.message,
          /sort: expected one of created_at_ascending, .*pagination: expected true/,
        );
      });

      it('400: rejects a NUL character', async () => {
        expectError(await request([['category', 'A\0']]), 400, /^category: .*UTF-8.*NUL/);
      });
    });
  }

  it('200: combines parameters from the query and post data', async () => {
    const response = await list('page=2&sort=unique_id_ascending', { json: { per_page: 1, page: 2 } });
    assert.deepEqual(
      response.json<{ identifier: string }[]>().map(({ identifier }) => identifier),
      ['B'],
    );
  });

  it('400: rejects different values in the query and post data', async () => {
    for (const sent of [
      { json: { page: 2 } },
      { form: { page: 2 } },
      { multipart: [['page', '2']] as Pair[] },
    ]) {
      expectError(await list('page=1', sent), 400, 'page: given more than once, with different values.');
    }
  });

  it('400: names unrecognized parameters of the query and post data in one message', async () => {
    expectError(await list('a=1', { json: { b: { c: 1 } } }), 400, unrecognized('a', 'b'));
  });

  it('200: treats null in JSON as missing', async () => {
    const response = await listJson('{"page": null, "status": null, "category": null, "pagination": null}');
    assert.equal(response.text, (await list('')).text);
  });

  it('400: rejects a repeated JSON member with different values', async () => {
    expectError(await listJson('{"page": 1, "page": 2}'), 400, /^page: given more than once/);
    assert.equal((await listJson('{"page": 1, "p\\u0061ge": 1}')).status, 200);
  });

  it('400: names parameters that are lists or objects in JSON', async () => {
    const response = await listJson('{"page": [1], "status": {"a": "]"}, "sort": [], "pagination": false}');
    const nested = 'not a list or an object\\.';
    expectError(response, 400, new RegExp(`^status: .*${nested} page: .*${nested} sort: .*${nested}$`));
  });

  it('400: names parameters that are not UTF-8, raw or percent-encoded', async () => {
    for (const wrong of ['%ff', '%c3%28', '%ed%a0%80', '%zz', '%']) {
      expectError(await list(`category=${wrong}`), 400, /^category: .*valid UTF-8/);
    }
    const sent = {
      body: Buffer.from('category=\xff', 'latin1'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expectError(await list('', sent), 400, /^category: .*valid UTF-8/);
    expectError(await listJson('{"category": "\\ud800"}'), 400, /^category: .*valid UTF-8/);
  });

  it('400: treats a name that is not UTF-8 as unrecognized', async () => {
    expectError(await list('%ff=1'), 400, unrecognized('%ff'));
  });

  it('400: truncates a very long value in the message', async () => {
    const response = await list(`page=${'x'.repeat(5000)}`);
    expectError(response, 400, /^page: /);
    assert.ok(response.message.length < 200);
  });
});
