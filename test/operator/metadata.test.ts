import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { listNames, lists, merchantLists } from '../../src/metadata/lists.ts';
import { listOperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchant: TestMerchant;
  before(async () => {
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
  });
  beforeEach(async () => {
    for (const name of listNames) await send('DELETE', name);
  });

  const send = (method: string, list: string, json?: unknown): Promise<ClientResponse> =>
    service().operator(method, `/metadata/${list}`, token, json === undefined ? {} : { json });
  const put = (list: string, entries: unknown): Promise<ClientResponse> => send('PUT', list, { entries });
  const shown = async (list: string): Promise<string> =>
    (await service().get(`/metadata/${list}`, merchant)).text;
  const actions = async (): Promise<string[]> =>
    (await listOperatorAudit(service().database, { limit: 1_000 })).entries
      .map(({ action, subject, ...by }) => `${by.who_kind} ${action} ${subject}`)
      .filter((entry) => entry.includes('metadata'));

  describe('PUT /metadata/{list}', () => {
    it('200: replaces each list for all merchants, until DELETE returns it to its default', async () => {
      for (const list of listNames) {
        const { initial, example } = lists[list];
        const before = await send('GET', list);
        assert.deepEqual(before.json(), { list, is_default: true, entries: initial });
        const replaced = await put(list, example);
        assert.equal(replaced.status, 200, replaced.text);
        assert.deepEqual(replaced.json(), { list, is_default: false, entries: example });
        assert.deepEqual((await send('GET', list)).json(), replaced.json());
        const isShown = merchantLists.some((name) => name === list);
        if (isShown) assert.equal(await shown(list), JSON.stringify(example));
        for (let times = 0; times < 2; times += 1) {
          const reset = await send('DELETE', list);
          assert.deepEqual([reset.status, reset.json()], [200, before.json()]);
        }
        if (isShown) assert.equal(await shown(list), JSON.stringify(initial));
      }
    });

    it('200: keeps the order, removes spaces around names and levels, and accepts an empty list', async () => {
      const { text } = await put('sizes', { ' 10 ': ['b', ' a '], '9': [] });
      assert.equal(text, '{"list":"sizes","is_default":false,"entries":{"9":[],"10":["b","a"]}}');
      const body = '{"entries":{"9":[],"B":["x"],"3":["y"]}}';
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const ordered = await service().operator('PUT', '/metadata/sizes', token, { body, headers });
      assert.match(ordered.text, /"entries":\{"9":\[\],"B":\["x"\],"3":\["y"\]\}\}$/);
      await put('categories', ['Home|Garden', ' Home |  Kitchen ']);
      assert.equal(await shown('categories'), '["Home | Garden","Home | Kitchen"]');
      for (const [list, empty] of [
        ['territories', {}],
        ['colors', []],
        ['brands', {}],
      ] as const) {
        assert.equal((await put(list, empty)).status, 200);
        assert.equal(await shown(list), JSON.stringify(empty));
      }
    });

    it('leaves one entry in the audit log for each change, and none where nothing changes', async () => {
      const before = (await actions()).length;
      await put('carriers', { UPS: 'ups', 'Northwind Express': 'nwx' });
      await put('carriers', { UPS: 'ups', 'Northwind Express': 'nwx' });
      await put('sizes', { Rings: ['5', '6'], Shoes: ['38'] });
      await send('DELETE', 'carriers');
      await send('DELETE', 'carriers');
      const entries = (await actions()).slice(0, -before || undefined);
      assert.deepEqual(entries, [
        'operator_key metadata.reset carriers',
        'operator_key metadata.changed sizes: 3 entries',
        'operator_key metadata.changed carriers: 2 entries',
      ]);
    });

    it('400: names the entry that is wrong or occurs twice, and changes nothing', async () => {
      const long = 'x'.repeat(256);
      for (const [list, entries, pattern] of [
        ['colors', ['Red', 'Blue', 'Red'], /^entries: expected each name once, found "Red" again\.$/],
        ['colors', ['Red', ' Red'], /found "Red" again/],
        ['colors', ['Red', ''], /^entries: entry 2: expected text of 1 to 255 characters in one line\.$/],
        ['colors', [long], /^entries: entry 1: expected text of 1 to 255/],
        ['colors', ['a\nb'], /^entries: entry 1: expected text/],
        ['colors', ['\ud800'], /^entries: entry 1: expected text/],
        ['colors', [7], /^entries: entry 1: expected text/],
        ['colors', { Red: 'R' }, /^entries: expected an array of texts\.$/],
        ['colors', 'Red', /^entries: expected an array of texts, an object of codes, or/],
        ['colors', null, /^entries: missing, expected an array/],
        [
          'colors',
          Array.from({ length: 10_001 }, (_, i) => `C${i}`),
          /^entries: expected at most 10,000 entries\.$/,
        ],
        ['conditions', ['New', 'Broken'], /^entries: entry 2: expected one of New, New with Tags,/],
        ['refund_reasons', ['Out of stock'], /^entries: entry 1: expected a lower-case word/],
        [
          'categories',
          ['A | | B'],
          /^entries: entry 1: expected category levels separated by \|, none of them empty\.$/,
        ],
        ['categories', ['A|B', 'A | B'], /found "A \| B" again/],
        ['categories', [Array(4).fill('é'.repeat(200)).join('|')], /^entries: entry 1: expected at most 600/],
        ['countries', { Austria: 'AUT' }, /^entries: expected an array/],
        ['country_codes', { Austria: 'AT' }, /^entries: "Austria": expected an ISO 3166-1 alpha-3 code/],
        ['country_codes', { Austria: null }, /^entries: "Austria": expected an ISO/],
        ['country_codes', { ' ': 'AUT' }, /^entries: the name of entry 1: expected text/],
        ['states', { Texas: 'Tx' }, /^entries: "Texas": expected a code of capitals and digits/],
        ['states', ['Texas'], /^entries: expected an object with a code for each name\.$/],
        ['carriers', { UPS: 'u p s' }, /^entries: "UPS": expected a code of up to 50 letters/],
        ['sizes', { Rings: ['5', '5'] }, /^entries: "Rings": expected each name once, found "5" again\.$/],
        ['sizes', { Rings: '5' }, /^entries: "Rings": expected an array of texts\.$/],
        ['sizes', ['5'], /^entries: expected an object with an array of texts for each group\.$/],
        [
          'brands',
          {
            A: Array.from({ length: 6_000 }, (_, i) => `A${i}`),
            B: Array.from({ length: 6_000 }, (_, i) => `B${i}`),
          },
          /^entries: expected at most 10,000/,
        ],
      ] as const) {
        const before = await shown(list);
        expectError(await put(list, entries), 400, pattern);
        assert.equal(await shown(list), before);
      }
    });

    it('400: an object with a name twice, names that no list has, and entries beyond 1 MiB', async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sendText = (body: string): Promise<ClientResponse> =>
        service().operator('PUT', '/metadata/carriers', token, { body, headers });
      const twice = await sendText('{"entries": {"UPS": "ups", "UPS": "other"}}');
      expectError(twice, 400, /^entries: expected each name once, found "UPS" again\.$/);
      const malformed = await sendText('{"entries": {"a\\u0000b": "ups"}}');
      expectError(malformed, 400, /^entries: the name of entry 1: expected text/);
      for (const list of ['campaign_types', 'shades'])
        expectError(await put(list, ['Red']), 400, /^list: expected one of categories, conditions,/);
      const large = Array.from({ length: 6_000 }, (_, i) => `${i} ${'x'.repeat(200)}`);
      expectError(await put('colors', large), 400, /larger than 1 MiB/);
      assert.equal((await put('colors', large.slice(0, 4_000))).status, 200);
    });

    it('403: needs the scope catalog', async () => {
      const other = await service().newOperatorToken(['merchants', 'campaigns', 'events']);
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const sent = method === 'PUT' ? { json: { entries: ['Red'] } } : {};
        const response = await service().operator(method, '/metadata/colors', other, sent);
        expectError(response, 403, /scope catalog/);
      }
    });

    it('of one list at the same time store one of the lists as a whole', async () => {
      const sent = Array.from({ length: 6 }, (_, i) => Array.from({ length: 50 }, (_, j) => `C${i} | ${j}`));
      const responses = await Promise.all(sent.map((entries) => put('categories', entries)));
      assert.ok(responses.every(({ status }) => status === 200));
      const stored = await shown('categories');
      assert.ok(sent.some((entries) => JSON.stringify(entries) === stored));
    });
  });
});
