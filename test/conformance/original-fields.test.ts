import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Product } from '../../src/products/record/product.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import { anyDraft } from '../support/arbitraries.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { type ModerationOf, notModerated, withOriginalFields } from '../support/original-fields.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Item = Record<string, unknown> & { identifier: string };
interface Changes {
  results: Item[];
  cursor: string;
  more: boolean;
}

const ADDED = [
  ...['starting_bid', 'success_fee_bid', 'success_fee_bid_enabled', 'slug', 'all_images', 'upsells'],
  ...['admin_banned_at', 'admin_hold_at', 'admin_reason'],
];
const lamp = draft('LAMP', {
  title: 'Brass lamp',
  minimum_bid_amount: 9,
  scheduling_fee_bid: 0.75,
  buy_one_get_one_price: 49.9,
  accessory_price: 5.5,
  accessory_description: 'Felt pad',
  primary_image: 'https://images.example.com/front.jpg',
  extra_images: 'https://images.example.com/back.jpg| |http://images.example.com/side.jpg',
});

forEachEngine((engine) => {
  const service = useService(engine);
  let operator: string;
  before(async () => {
    operator = await service().newOperatorToken();
  });

  const original = { 'tradepost-fields': 'original' };

  async function newKey({ id }: TestMerchant, fields: 'standard' | 'original'): Promise<{ token: string }> {
    return await createKey(service(), { merchantId: id, name: fields, expiresAt: null, fields });
  }

  /** The token is in the query. */
  const send = (
    method: string,
    path: string,
    { token }: { token: string },
    { query = {}, ...options }: RequestOptions & { query?: Record<string, string> } = {},
  ): Promise<ClientResponse> =>
    service().request(method, `${path}?${new URLSearchParams({ access_token: token, ...query })}`, options);

  const moderate = async (
    { id }: TestMerchant,
    identifier: string,
    decision: { state: string; reasons?: { code: string; message: string }[] },
  ): Promise<ModerationOf> => {
    const path = `/merchants/${id}/products/${encodeURIComponent(identifier)}/moderation`;
    const response = await service().operator('PUT', path, operator, { json: decision });
    assert.equal(response.status, 200, response.text);
    const messages = (decision.reasons ?? []).map(({ message }) => message);
    return { state: decision.state, at: formatTime(service().now()), messages };
  };

  /** Calls that return the products that one merchant has, in the same order with either set of fields. */
  const reads: [
    name: string,
    read: (send: (path: string, query: object) => Promise<ClientResponse>) => Promise<Item[]>,
  ][] = [
    ['products', async (get) => (await get('/products', { per_page: 1000 })).json()],
    [
      'products with pagination',
      async (get) =>
        (
          await get('/products', { per_page: 300, pagination: true, sort: 'unique_id_ascending' })
        ).json<Changes>().results,
    ],
    ['products page by page', async (get) => (await get('/products', { per_page: 2, page: 2 })).json()],
    ['search', async (get) => (await get('/products/search', { query: 'lamp' })).json()],
    [
      'changes',
      async (get) =>
        (await get('/products', { changed_since: 'start', per_page: 1000 })).json<Changes>().results,
    ],
  ];

  it('200: lists, search and changes show them to callers that ask, and others the same bytes as before', async () => {
    const merchant = await service().newMerchant();
    const others = fc
      .sample(anyDraft, 40)
      .filter(({ identifier }) => identifier !== 'LAMP' && identifier !== 'POT');
    await importDrafts(service(), merchant, [others, [lamp, draft('POT', { title: 'Pot' })]]);
    const key = await newKey(merchant, 'original');
    const reason = { code: 'x', message: 'Say "],"cost_basis": what it is.' };
    const decisions = new Map<string, ModerationOf>();
    for (const [identifier, state, reasons] of [
      ['LAMP', 'problematic', [reason, { code: 'y', message: 'And } why.' }]],
      ['POT', 'banned', []],
    ] as const) {
      service().passTime(1500);
      decisions.set(identifier, await moderate(merchant, identifier, { state, reasons: [...reasons] }));
    }
    const statuses = new Map<string, string>();
    for (const [name, read] of reads) {
      const ask = (token: string, headers: Record<string, string>) =>
        read(async (path, query) => {
          const response = await send(
            'GET',
            path,
            { token },
            { query: query as Record<string, string>, headers },
          );
          assert.equal(response.status, 200, response.text);
          assert.equal(response.header('vary'), 'Accept-Encoding, Tradepost-Fields');
          return response;
        });
      const standard = await ask(merchant.token, {});
      assert.ok(standard.length > 0, name);
      const expected = standard.map((product) => {
        statuses.set(product.identifier, String(product.status));
        const decision = decisions.get(product.identifier);
        // Imported statuses moderate products too, without reasons, when the products are imported.
        const imported = { state: String(product.status), at: null, messages: [] };
        return withOriginalFields(product, decision ?? imported);
      });
      const withoutTimes = (items: Item[]): Item[] =>
        items.map((item) =>
          decisions.has(item.identifier) ? item : { ...item, admin_banned_at: null, admin_hold_at: null },
        );
      for (const shown of [await ask(key.token, {}), await ask(merchant.token, original)]) {
        assert.equal(JSON.stringify(withoutTimes(shown)), JSON.stringify(expected), name);
        for (const item of shown) {
          assert.equal(item.admin_banned_at !== null, item.status === 'banned' || isBanned(item), name);
          assert.deepEqual(Object.keys(item).slice(-ADDED.length), ADDED);
        }
      }
      assert.deepEqual(await ask(key.token, { 'tradepost-fields': 'standard' }), standard, name);
    }
  });

  /** A deleted product keeps its moderation, which its status does not show. */
  function isBanned({ status, admin_banned_at: at }: Item): boolean {
    return status === 'deleted' && at !== null;
  }

  describe('one product', () => {
    let merchant: TestMerchant;
    let key: { token: string };
    before(async () => {
      merchant = await service().newMerchant();
      key = await newKey(merchant, 'original');
      await importDrafts(service(), merchant, [[lamp]]);
    });
    const retrieve = (
      caller: { token: string },
      headers: Record<string, string> = {},
      method = 'GET',
    ): Promise<ClientResponse> =>
      send(method, '/products/retrieve', caller, { query: { identifier: 'LAMP' }, headers });
    const update = (
      json: object,
      headers: Record<string, string> = {},
      caller: { token: string } = key,
    ): Promise<ClientResponse> =>
      send('POST', '/products/update', caller, { json: { identifier: 'LAMP', ...json }, headers });
    const accepted = (response: ClientResponse): Item => {
      assert.equal(response.status, 200, response.text);
      return response.json<Item>();
    };

    it('200: retrieve and writes return them, with a strong ETag of their bytes', async () => {
      const standard = await retrieve(merchant);
      const shown = await retrieve(key);
      const product = standard.json<Item>();
      assert.equal(shown.text, JSON.stringify(withOriginalFields(product, notModerated)));
      assert.equal((await retrieve(merchant, original)).text, shown.text);
      assert.equal(
        (await send('GET', '/products/retrieve', key, { query: { internal_id: '1' } })).text,
        shown.text,
      );
      for (const response of [standard, shown]) {
        assert.match(response.header('etag'), /^"/);
        assert.equal(response.header('vary'), 'Accept-Encoding, Tradepost-Fields');
      }
      assert.notEqual(shown.header('etag'), standard.header('etag'));
      const etag = shown.header('etag');
      assert.equal((await retrieve(key, { 'if-none-match': etag })).status, 304);
      assert.equal((await retrieve(merchant, { 'if-none-match': etag })).status, 200);
      const head = await retrieve(key, {}, 'HEAD');
      assert.deepEqual([head.bytes.length, head.header('etag')], [0, etag]);
      assert.equal(head.header('content-length'), String(shown.bytes.length));
      const compressed = await retrieve(key, { 'accept-encoding': 'gzip' });
      assert.equal(gunzipSync(compressed.bytes).toString(), shown.text);
      const written = await update({ title: 'Tall lamp' });
      assert.equal(written.text, (await retrieve(key)).text);
      assert.equal(written.header('etag'), (await retrieve(key)).header('etag'));
      const plain = await update({ title: 'Tall lamp' }, {}, merchant);
      assert.equal(plain.text, (await retrieve(merchant)).text);
      for (const action of ['disable', 'enable', 'enable_catalog_only', 'enable']) {
        const response = await send('POST', `/products/${action}`, key, { json: { identifier: 'LAMP' } });
        assert.equal(response.text, (await retrieve(key)).text, action);
      }
    });

    it('200 and 412: If-Match accepts the ETag of either form, as long as the record is the same', async () => {
      for (const ask of [key, merchant]) {
        for (const write of [key, merchant]) {
          const etag = (await retrieve(ask, { 'accept-encoding': 'gzip' })).header('etag');
          const title = `Lamp ${etag}`;
          accepted(await update({ title }, { 'if-match': etag }, write));
          assert.equal((await update({ title: 'Late' }, { 'if-match': etag }, write)).status, 412);
        }
      }
    });

    it('200: a record is accepted as it was read, also with changes, and blank and null are ignored', async () => {
      const read = accepted(await retrieve(key));
      for (const write of [key, merchant]) {
        accepted(await update(read, {}, write));
        assert.deepEqual((await retrieve(key)).json(), read);
      }
      const images = { primary_image: 'https://images.example.com/new.jpg', extra_images: null };
      const changed = accepted(
        await update({ ...read, ...images, scheduling_fee_bid: 0.5, success_fee_bid: 0.5 }),
      );
      assert.deepEqual(
        [(changed.all_images as object[]).length, changed.success_fee_bid, changed.starting_bid],
        [1, 0.5, 9],
      );
      const older = accepted(await update({ ...changed, starting_bid: 12 }));
      assert.deepEqual([older.minimum_bid_amount, older.starting_bid], [12, 12]);
      accepted(await update(Object.fromEntries(ADDED.map((name) => [name, '']))));
      // In JSON, null clears the fields that have the older names.
      const [, , ...derived] = ADDED;
      accepted(await update(Object.fromEntries(derived.map((name) => [name, null]))));
      const form = { identifier: 'LAMP', success_fee_bid_enabled: 'true', slug: '', admin_reason: '' };
      accepted(await send('POST', '/products/update', key, { form }));
      assert.deepEqual(accepted(await retrieve(key)), older);
    });

    it('400: another value of a field that nothing sets is read-only', async () => {
      const read = accepted(await retrieve(key));
      for (const [name, values] of Object.entries({
        success_fee_bid_enabled: [false],
        slug: ['lamp', 'x'],
        all_images: [[], [{ square: 'https://images.example.com/x.jpg' }], 'x'],
        upsells: [[], [{ type_description: 'accessory', amount: 1, description: null }]],
        admin_banned_at: ['2026-01-01T00:00:00Z'],
        admin_hold_at: ['2026-01-01T00:00:00Z'],
        admin_reason: ['none'],
      })) {
        for (const value of values) {
          const message = `${name}: read-only: set by the service.`;
          expectError(await update({ ...read, [name]: value }), 400, message);
          const created = { identifier: 'OTHER', title: 'T', [name]: value };
          const isEmpty = Array.isArray(value) && value.length === 0;
          if (!isEmpty && value !== false)
            expectError(await send('POST', '/products', key, { json: created }), 400, message);
        }
      }
      assert.deepEqual(accepted(await retrieve(key)), read);
    });

    it('200: a copy of a record can be created, in a batch and in a file too', async () => {
      const read = accepted(await retrieve(key));
      const { status, created_at, updated_at, sales_count, ratings_count, ...copy } = read;
      assert.ok(status && created_at && updated_at && sales_count === 0 && ratings_count === 0);
      const created = accepted(
        await send('POST', '/products', key, {
          json: { ...copy, identifier: 'COPY', variations: undefined },
        }),
      );
      assert.deepEqual(created.all_images, read.all_images);
      const line = { ...(accepted(await retrieve(key)) as object) };
      const batch = await send('POST', '/products/batch', key, {
        json: [line, { ...line, slug: 'x' }],
      });
      assert.deepEqual(
        batch
          .json<{ results: { result: string; errors: object[] }[] }>()
          .results.map(({ result, errors }) => [result, errors]),
        [
          ['unchanged', []],
          ['rejected', [{ name: 'slug', reason: 'read-only: set by the service' }]],
        ],
      );
      const lines = [line, { ...line, all_images: [] }].map((each) => `${JSON.stringify(each)}\n`);
      const imported = await importFileByApi(service(), merchant, lines.join(''));
      assert.deepEqual([imported.unchanged, imported.rejected], [1, 1]);
    });

    it('200: the moderation’s reasons are fresh in every response, and a change of them is a change of the product', async () => {
      const page = { query: { per_page: '10' } };
      const changes = (cursor: string): Promise<Changes> =>
        send('GET', '/products', key, { query: { changed_since: cursor } }).then((response) =>
          response.json(),
        );
      let { cursor } = await changes('start');
      let since: string | null = null;
      for (const [state, message] of [
        ['problematic', 'First.'],
        ['problematic', 'Second.'],
        ['problematic', null],
        ['banned', 'Third.'],
        ['ok', null],
      ] as const) {
        service().passTime(2000);
        const reasons = message === null ? [] : [{ code: 'x', message }];
        const { at } = await moderate(merchant, 'LAMP', { state, reasons });
        if (message !== 'Second.' && !(state === 'problematic' && message === null)) since = at;
        const expected: unknown[] = [
          state === 'banned' ? since : null,
          state === 'problematic' ? since : null,
          message,
        ];
        const of = (item: Item | undefined): unknown[] => ADDED.slice(-3).map((name) => item?.[name]);
        for (let time = 0; time < 3; time += 1) {
          const listed = (await send('GET', '/products', key, page)).json<Item[]>();
          assert.deepEqual(of(listed.find(({ identifier }) => identifier === 'LAMP')), expected);
        }
        assert.deepEqual(of((await retrieve(key)).json()), expected);
        const changed = await changes(cursor);
        assert.deepEqual(changed.results.map(of), [expected], 'one change');
        ({ cursor } = changed);
      }
    });
  });

  it('200: repeated requests of callers that ask and of others never get each other’s response', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[lamp]]);
    const key = await newKey(merchant, 'original');
    for (const query of [{ per_page: '5' }, { changed_since: 'start' }, { pagination: 'true' }]) {
      const ask = async ({ token }: { token: string }, headers: Record<string, string>, bearer = false) => {
        const authorization = bearer ? { authorization: `Bearer ${token}` } : {};
        const sent = new URLSearchParams({ ...query, ...(!bearer && { access_token: token }) });
        const response = await service().request('GET', `/products?${sent}`, {
          headers: { ...headers, ...authorization },
        });
        assert.equal(response.status, 200, response.text);
        const { etag = '' } = response.headers;
        return [response.text.includes('"starting_bid":9'), etag, response.header('vary')];
      };
      const etags = new Set<unknown>();
      for (let time = 0; time < 4; time += 1) {
        for (const bearer of [false, true]) {
          for (const [caller, headers, isOriginal] of [
            [merchant, {}, false],
            [merchant, original, true],
            [merchant, { 'tradepost-fields': 'standard' }, false],
            [key, {}, true],
            [key, { 'tradepost-fields': 'standard' }, false],
          ] as const) {
            const [shown, etag, vary] = await ask(caller, headers, bearer);
            assert.deepEqual([shown, vary], [isOriginal, 'Accept-Encoding, Tradepost-Fields']);
            etags.add(`${isOriginal} ${etag}`);
          }
        }
      }
      assert.equal(etags.size, 2, [...etags].join());
    }
  });

  it('400: another value of the header is refused by the calls that read it; others ignore it', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[lamp]]);
    const headers = { 'tradepost-fields': 'all' };
    const message = 'Tradepost-Fields: expected one of standard, original.';
    for (const [method, path, options] of [
      ['GET', '/products', {}],
      ['GET', '/products', { query: { changed_since: 'start' } }],
      ['GET', '/products/search', { query: { query: 'lamp' } }],
      ['GET', '/products/retrieve', { query: { identifier: 'LAMP' } }],
      ['POST', '/products/disable', { json: { identifier: 'LAMP' } }],
      ['POST', '/products', { json: { identifier: 'NEW', title: 'T' } }],
    ] as const)
      expectError(await send(method, path, merchant, { ...options, headers }), 400, message);
    assert.equal((await send('GET', '/campaigns', merchant, { headers })).status, 200);
    const blank = await send('GET', '/products', merchant, { headers: { 'tradepost-fields': '' } });
    assert.equal(blank.status, 200);
    const [product] = blank.json<Product[]>();
    assert.equal(product?.disabled_at, null);
  });

  it('200: pages that are too large for memory, and changes, show them too', async () => {
    const merchant = await service().newMerchant();
    const extra_images = Array(1_800).fill('http://x.eu').join('|');
    const drafts = Array.from({ length: 60 }, (_, index) =>
      draft(`P${index}`, { title: 'Pot', extra_images }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const key = await newKey(merchant, 'original');
    const expected = (await send('GET', '/products', merchant, { query: { per_page: '100' } }))
      .json<Item[]>()
      .map((product) => withOriginalFields(product, notModerated));
    const page = await send('GET', '/products', key, { query: { per_page: '100' } });
    assert.ok(page.bytes.length > 8 * 1024 * 1024);
    assert.equal(page.text, JSON.stringify(expected));
    const query = { query: 'pot', per_page: '100' };
    assert.equal((await send('GET', '/products/search', key, { query })).text, page.text);
    const seen: Item[] = [];
    for (let cursor = 'start', more = true; more; ) {
      const changes = await send('GET', '/products', key, {
        query: { changed_since: cursor, per_page: '100' },
      });
      assert.ok(changes.bytes.length < 9 * 1024 * 1024);
      const { results, ...next } = changes.json<Changes>();
      seen.push(...results);
      ({ cursor, more } = next);
    }
    const sorted = (items: readonly object[]): string[] =>
      items.map((item) => JSON.stringify(item)).toSorted();
    assert.deepEqual(sorted(seen), sorted(expected));
  });

  it('keys get the setting where they are created, and the account shows it', async () => {
    const merchant = await service().newMerchant();
    const fieldsOf = async (token: string): Promise<string> =>
      (await service().get('/account/me', { token })).json<{ key: { fields: string } }>().key.fields;
    assert.equal(await fieldsOf(merchant.token), 'standard');
    const path = `/merchants/${merchant.id}/keys`;
    for (const fields of ['original', 'standard', undefined] as const) {
      const json = { name: 'ERP', ...(fields !== undefined && { fields }) };
      const created = await service().operator('POST', path, operator, { json });
      assert.equal(created.status, 201, created.text);
      const key = created.json<{ access_token: string; fields: string }>();
      assert.equal(key.fields, fields ?? 'standard');
      assert.equal(await fieldsOf(key.access_token), fields ?? 'standard');
    }
    const wrong = await service().operator('POST', path, operator, { json: { name: 'ERP', fields: 'all' } });
    expectError(wrong, 400, /^fields: expected one of standard, original/);
  });
});
