import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { Answer, Sent } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Pair = [name: string, value: string];

/** The places that parameters can be sent in, on any method. */
const places: { name: string; place(pairs: Pair[]): { query: string; sent: Sent } }[] = [
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

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
    const products = ['A', 'B', 'C'].map((identifier) =>
      draft(identifier, { category: 'Home & Käse | Töpfe', status: 'enabled' }),
    );
    await importDrafts(service(), merchant, [products]);
  });

  const list = (query: string, sent: Sent = {}): Promise<Answer> =>
    service().request('GET', `/products.json?access_token=${merchant.token}&${query}`, sent);
  const listJson = (json: string): Promise<Answer> =>
    list('', { body: json, headers: { 'content-type': 'application/json' } });

  for (const { name, place } of places) {
    const ask = (pairs: Pair[]): Promise<Answer> => {
      const { query, sent } = place(pairs);
      return list(query, sent);
    };

    describe(`in ${name}, on GET`, () => {
      it('200: every parameter is read', async () => {
        const answer = await ask([
          ['status', 'enabled'],
          ['category', 'Home & Käse | Töpfe'],
          ['page', '2'],
          ['per_page', '1'],
          ['sort', 'unique_id_descending'],
          ['pagination', 'true'],
        ]);
        assert.equal(answer.status, 200, answer.text);
        const { results, ...summary } = answer.json<{ results: { identifier: string }[] }>();
        assert.deepEqual(
          results.map(({ identifier }) => identifier),
          ['B'],
        );
        assert.deepEqual(summary, { from: 2, to: 2, page: 2, per_page: 1, total_entries: 3 });
      });

      it('200: a blank value counts as not given', async () => {
        const blank = ['status', 'category', 'page', 'per_page', 'sort', 'pagination'].flatMap(
          (key): Pair[] => [
            [key, ''],
            [key, ' \t'],
          ],
        );
        const answer = await ask(blank);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.text, (await list('')).text);
      });

      it('200: the same value twice, or beside a blank one, counts once', async () => {
        const answer = await ask([
          ['per_page', '1'],
          ['per_page', ''],
          ['per_page', '1'],
        ]);
        assert.equal(answer.json<unknown[]>().length, 1);
      });

      it('400: names what was given twice with different values', async () => {
        const answer = await ask([
          ['page', '1'],
          ['page', '2'],
          ['sort', 'a'],
          ['sort', 'b'],
          ['status', 'enabled'],
        ]);
        const twice = 'given more than once, with different values.';
        expectError(answer, 400, `page: ${twice} sort: ${twice}`);
      });

      it('400: names every unrecognized parameter, in one message', async () => {
        const answer = await ask([
          ['colour', 'red'],
          ['page', '1'],
          ['Größe', '1'],
          ['constructor', ''],
          ['__proto__', '1'],
        ]);
        expectError(answer, 400, 'Unrecognized parameters: colour, Größe, constructor, __proto__.');
      });

      it('400: names are case-sensitive, and keep the spaces around them', async () => {
        expectError(
          await ask([
            ['Page', '1'],
            [' page', '1'],
          ]),
          400,
          'Unrecognized parameters: Page,  page.',
        );
      });

      it('400: page[]=1 and page[a]=1 are no forms of page', async () => {
        expectError(await ask([['page[]', '1']]), 400, 'Unrecognized parameter: page[].');
        expectError(await ask([['page[a]', '1']]), 400, 'Unrecognized parameter: page[a].');
      });

      it('400: names all problems in one message, with what was expected', async () => {
        const answer = await ask([
          ['status', 'sold'],
          ['category', 'A | B | C'],
          ['page', '0'],
          ['per_page', '1001'],
          ['sort', 'price'],
          ['pagination', 'yes'],
        ]);
        expectError(
          answer,
          400,
          /^status: expected one of in_stock, .* category: expected .* page: expected .*1/,
        );
        assert.match(answer.message, /per_page: expected .* 1000, not "1001"\./);
        assert.match(
          answer.message,
          /sort: expected one of created_at_ascending, .*pagination: expected true/,
        );
      });

      it('400: a NUL character', async () => {
        expectError(await ask([['category', 'A\0']]), 400, /^category: .*UTF-8.*NUL/);
      });
    });
  }

  it('200: parameters may be spread over the query and post data', async () => {
    const answer = await list('page=2&sort=unique_id_ascending', { json: { per_page: 1, page: 2 } });
    assert.deepEqual(
      answer.json<{ identifier: string }[]>().map(({ identifier }) => identifier),
      ['B'],
    );
  });

  it('400: the same name across query and post data with different values', async () => {
    for (const sent of [
      { json: { page: 2 } },
      { form: { page: 2 } },
      { multipart: [['page', '2']] as Pair[] },
    ]) {
      expectError(await list('page=1', sent), 400, 'page: given more than once, with different values.');
    }
  });

  it('400: unrecognized ones of the query and of post data, in one message', async () => {
    expectError(await list('a=1', { json: { b: { c: 1 } } }), 400, 'Unrecognized parameters: a, b.');
  });

  it('200: null in JSON counts as not given', async () => {
    const answer = await listJson('{"page": null, "status": null, "category": null, "pagination": null}');
    assert.equal(answer.text, (await list('')).text);
  });

  it('400: a name that stands twice in one JSON object, with different values', async () => {
    expectError(await listJson('{"page": 1, "page": 2}'), 400, /^page: given more than once/);
    assert.equal((await listJson('{"page": 1, "p\\u0061ge": 1}')).status, 200);
  });

  it('400: lists and objects in JSON, named', async () => {
    const answer = await listJson('{"page": [1], "status": {"a": "]"}, "sort": [], "pagination": false}');
    const nested = 'not a list or an object\\.';
    expectError(answer, 400, new RegExp(`^status: .*${nested} page: .*${nested} sort: .*${nested}$`));
  });

  it('400: text that is not UTF-8, raw or percent-encoded, named', async () => {
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

  it('400: a name that is not UTF-8 is unrecognized', async () => {
    expectError(await list('%ff=1'), 400, 'Unrecognized parameter: %ff.');
  });

  it('400: a very long value is not repeated in full', async () => {
    const answer = await list(`page=${'x'.repeat(5000)}`);
    expectError(answer, 400, /^page: /);
    assert.ok(answer.message.length < 200);
  });
});
