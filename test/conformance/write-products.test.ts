import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { accepted, patiently, postAs } from '../support/writes.ts';

interface ShownVariation {
  identifier: string;
  quantity: number | null;
  size: string | null;
  disabled_at: string | null;
  deleted_at: string | null;
}
type ShownProduct = Record<string, unknown> & { internal_id: number; variations: ShownVariation[] };

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
  });

  const post = postAs(service, () => merchant);
  const postJson = (path: string, json: Record<string, unknown>): Promise<ClientResponse> =>
    service().request('POST', path, { json: { ...json, access_token: merchant.token } });
  const retrieve = (identifier: string): Promise<ClientResponse> =>
    service().get('/products/retrieve', merchant, { identifier });
  const product = (response: ClientResponse): ShownProduct => accepted(response);
  const stockOf = ({ variations }: ShownProduct): Record<string, number | null> =>
    Object.fromEntries(variations.map(({ identifier, quantity }) => [identifier, quantity]));
  const create = async (identifier: string, form: Record<string, string> = {}): Promise<ShownProduct> =>
    product(await post('/products', { identifier, title: identifier, ...form }));

  describe('POST products', () => {
    it('200: creates a product that retrieve, lists and the variation show, and returns its record', async () => {
      const created = await create('C1', {
        category: 'Home|Decoration| Vases',
        retail_price: '12.50',
        'variations[C1-S][quantity]': '3',
        'variations[0][identifier]': 'C1-L',
        'variations[0][size]': 'L',
        description: '',
      });
      assert.equal(created.category, 'Home | Decoration | Vases');
      assert.equal(created.status, 'low_inventory');
      assert.equal(created.description, null);
      assert.deepEqual(stockOf(created), { 'C1-S': 3, 'C1-L': null });
      assert.deepEqual(product(await retrieve('C1')), created);
      const listed = (await service().get('/products', merchant)).json<ShownProduct[]>();
      assert.deepEqual(
        listed.find(({ identifier }) => identifier === 'C1'),
        created,
      );
      const variation = await service().get('/variations/retrieve', merchant, { identifier: 'C1-L' });
      assert.equal(variation.json<{ size: string }>().size, 'L');
    });

    it('200: accepts variations as a list and as an object', async () => {
      const list = [{ identifier: 'C2-S', quantity: 1 }, { identifier: 'C2-M' }];
      assert.deepEqual(
        stockOf(product(await postJson('/products', { identifier: 'C2', title: 'T', variations: list }))),
        { 'C2-S': 1, 'C2-M': null },
      );
      const byIdentifier = { 'C3-S': { quantity: '2' }, 7: { identifier: 'C3-M' } };
      const json = { identifier: 'C3', title: 'T', variations: byIdentifier };
      // JavaScript lists numeric names first.
      assert.deepEqual(stockOf(product(await postJson('/products', json))), { 'C3-M': null, 'C3-S': 2 });
    });

    it('400: rejects a taken identifier, and another product’s variation', async () => {
      await create('C4', { 'variations[C4-S][quantity]': '1' });
      expectError(
        await post('/products', { identifier: 'C4', title: 'T' }),
        400,
        /^identifier: .*C4 already exists/,
      );
      const form = { identifier: 'C5', title: 'T', 'variations[C4-S][quantity]': '1' };
      expectError(await post('/products', form), 400, /^variations\[C4-S\]: .*another product/);
      assert.equal((await retrieve('C5')).status, 404);
    });

    it('400: names every invalid field, and read-only and unsupported ones', async () => {
      for (const [form, message] of [
        [{ title: 'T' }, /^identifier: missing, expected an identifier\.$/],
        [{ identifier: 'X' }, /^title: missing/],
        [{ identifier: 'X', title: 'T', retail_price: '-1', weight: 'heavy' }, /^retail_price: .* weight: /],
        [
          { identifier: 'X', title: 'T', colour: 'red' },
          /^The following parameters were provided but are not recognized: colour\.$/,
        ],
        [{ identifier: 'X', title: 'T', status: 'enabled' }, /^status: read-only/],
        [{ identifier: 'X', title: 'T', sales_count: '7' }, /^sales_count: read-only/],
        [{ identifier: 'X', title: 'T', slug: 's' }, /^slug: read-only/],
        [{ identifier: 'X', title: 'T', blacklisted_at: 'x' }, /^blacklisted_at: not supported\.$/],
        [{ identifier: 'X', title: 'T', condition: 'Broken' }, /^condition: expected one of New, /],
        [
          { identifier: 'X', title: 'T', 'variations[0][identifier]': '', 'variations[0][quantity]': '1' },
          /^variations\[0\]\[identifier\]: missing/,
        ],
      ] as const) {
        expectError(await post('/products', form), 400, message);
      }
      assert.equal((await retrieve('X')).status, 404);
    });

    it('200: blank, older and unsupported names of other clients are accepted', async () => {
      const created = await create('C6', {
        slug: '',
        upsells: ' ',
        status: '',
        internal_id: '',
        starting_bid: '2',
        minimum_bid_amount: '3',
        success_fee_bid: '0.5',
        condition: 'Used - Good',
      });
      assert.equal(created.minimum_bid_amount, 3);
      assert.equal(created.scheduling_fee_bid, 0.5);
      assert.equal(created.condition, 'Used - Good');
    });

    it('200: brings a deleted product back with the new values only', async () => {
      const first = await create('C7', { brand: 'Old', 'variations[C7-S][quantity]': '5' });
      await post('/products/delete', { identifier: 'C7' });
      const again = await create('C7', { retail_price: '2', 'variations[C7-M][quantity]': '1' });
      assert.equal(again.internal_id, first.internal_id);
      assert.equal(again.created_at, first.created_at);
      assert.deepEqual([again.brand, again.retail_price, again.status], [null, 2, 'low_inventory']);
      const [small] = again.variations.filter(({ identifier }) => identifier === 'C7-S');
      assert.notEqual(small?.deleted_at, null);
      assert.equal(again.available_quantity, 1);
      await post('/variations/disable', { identifier: 'C7-M' });
      await post('/products/delete', { identifier: 'C7' });
      const third = await create('C7', { 'variations[0][identifier]': 'C7-M' });
      const [medium] = third.variations.filter(({ identifier }) => identifier === 'C7-M');
      assert.deepEqual([medium?.quantity, medium?.disabled_at, medium?.deleted_at], [null, null, null]);
      await post('/products/delete', { identifier: 'C7' });
      await create('C7', { available_quantity: '5', 'variations[C7-M][quantity]': '4' });
      await post('/products/delete', { identifier: 'C7' });
      const bare = await create('C7');
      assert.deepEqual([bare.status, bare.available_quantity], ['sold_out', 0]);
      assert.ok(bare.variations.every(({ deleted_at }) => deleted_at !== null));
    });

    it('200: with the same Idempotency-Key, creates once; the key is bound to the path', async () => {
      const sent = { headers: { 'idempotency-key': 'once' } };
      const form = { identifier: 'C8', title: 'T' };
      const [first, second] = [await post('/products', form, sent), await post('/products', form, sent)];
      assert.equal(first.status, 200, first.text);
      assert.equal(second.text, first.text);
      expectError(await post('/products/update', form, sent), 400, /^Idempotency-Key: .*different request/);
    });

    it('200 and 400: 10,000 variations in one request, and no more', async () => {
      const entries = (count: number): string =>
        Array.from({ length: count }, (_, index) => `variations[B${index}][quantity]=1`).join('&');
      const send = (count: number): Promise<ClientResponse> =>
        service().request('POST', `/products?access_token=${merchant.token}`, {
          body: `identifier=BIG&title=Big&${entries(count)}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
      expectError(await send(10_001), 400, /^variations: expected at most 10000 entries, found 10001/);
      assert.equal(product(await send(10_000)).available_quantity, 10_000);
    });
  });

  describe('stored responses', () => {
    const limited = useService(engine, {
      environment: { BUDGETS: 'stored_response_bytes_per_day=4000' },
    });

    it('429: past a day’s budget, a write with a key is refused and changes nothing; without one it is not', async () => {
      const { token: access_token } = await limited().newMerchant();
      const update = (brand: string, headers: Record<string, string>): Promise<ClientResponse> =>
        limited().request('POST', '/products/update', {
          form: { identifier: 'K1', brand, access_token },
          headers,
        });
      const create = { identifier: 'K1', title: 'T', access_token };
      assert.equal((await limited().request('POST', '/products', { form: create })).status, 200);
      const statuses: number[] = [];
      let last = '';
      for (let count = 0; statuses.at(-1) !== 429 && count < 10; count += 1) {
        const response = await update(`B${count}`, { 'idempotency-key': `key-${count}` });
        statuses.push(response.status);
        if (response.status === 200) last = response.text;
        else expectError(response, 429, /^Budget stored_response_bytes_per_day exceeded/);
      }
      assert.ok(statuses.length > 2 && statuses.at(-1) === 429, String(statuses));
      const query = `identifier=K1&access_token=${access_token}`;
      assert.equal((await limited().request('GET', `/products/retrieve?${query}`)).text, last);
      const retried = await update(`B${statuses.length - 2}`, {
        'idempotency-key': `key-${statuses.length - 2}`,
      });
      assert.deepEqual([retried.status, retried.text], [200, last]);
      assert.equal((await update('C', {})).status, 200);
      limited().passTime(24 * 3_600_000);
      assert.equal((await update('D', { 'idempotency-key': 'next-day' })).status, 200);
    });
  });

  describe('POST products/update', () => {
    it('200: changes what is sent and nothing else, and leaves unlisted variations alone', async () => {
      const before = await create('U1', {
        brand: 'B',
        description: 'D',
        'variations[U1-S][quantity]': '1',
        'variations[U1-M][quantity]': '2',
      });
      service().passTime(1000);
      const form = {
        identifier: 'U1',
        brand: '',
        'variations[U1-M][quantity]': '9',
        'variations[U1-L][size]': 'L',
      };
      const after = product(await post('/products/update', form));
      assert.deepEqual(stockOf(after), { 'U1-S': 1, 'U1-M': 9, 'U1-L': null });
      assert.deepEqual([after.brand, after.description], ['B', 'D']);
      assert.notEqual(after.updated_at, before.updated_at);
      const byId = { internal_id: String(before.internal_id), retail_price: '4' };
      assert.equal(product(await post('/products/update', byId)).retail_price, 4);
    });

    it('200: a record sent back as it was read changes nothing', async () => {
      await create('U2', { retail_price: '3', 'variations[U2-S][quantity]': '1' });
      const read = product(await retrieve('U2'));
      service().passTime(1000);
      assert.deepEqual(product(await postJson('/products/update', read)), read);
      const plain = await create('U3', { title: 'Without stock' });
      assert.deepEqual(product(await postJson('/products/update', plain)), plain);
    });

    it('200 and 400: JSON null clears a field, unless the field may not be empty', async () => {
      await create('U4', { brand: 'B' });
      const cleared = product(await postJson('/products/update', { identifier: 'U4', brand: null }));
      assert.equal(cleared.brand, null);
      const response = await postJson('/products/update', { identifier: 'U4', title: null });
      expectError(response, 400, /^title: expected text, not null\.$/);
    });

    it('400: rejects null for a read-only field that has a value, and changes nothing', async () => {
      await create('U8');
      const disabled = product(await post('/products/disable', { identifier: 'U8' }));
      for (const name of ['status', 'disabled_at', 'created_at', 'sales_count']) {
        const response = await postJson('/products/update', { identifier: 'U8', [name]: null });
        expectError(response, 400, new RegExp(`^${name}: read-only`));
      }
      assert.deepEqual(product(await retrieve('U8')), disabled);
      await create('U12', { 'variations[U12-S][quantity]': '1' });
      const json = { identifier: 'U12', variations: [{ identifier: 'U12-S', created_at: null }] };
      expectError(
        await postJson('/products/update', json),
        400,
        /^variations\[U12-S\]\[created_at\]: read-only/,
      );
      const deleted = { identifier: 'U12', variations: [{ identifier: 'U12-S', deleted_at: null }] };
      assert.equal((await postJson('/products/update', deleted)).status, 200);
    });

    it('200: a record with a rating above the best one can be sent back; another rating is read-only', async () => {
      await importDrafts(service(), merchant, [[draft('U10', { ratings_average: 9.5, ratings_count: 2 })]]);
      const read = product(await retrieve('U10'));
      assert.equal(read.ratings_average, 9.5);
      assert.deepEqual(product(await postJson('/products/update', read)), read);
      const other = await postJson('/products/update', { ...read, ratings_average: 7 });
      expectError(other, 400, /^ratings_average: read-only/);
    });

    it('200: ignores blank rows of a form', async () => {
      await create('U9', { 'variations[U9-S][quantity]': '1' });
      const form = { identifier: 'U9', 'variations[0][identifier]': '', 'variations[0][quantity]': '' };
      assert.deepEqual(stockOf(product(await post('/products/update', form))), { 'U9-S': 1 });
    });

    it('404, not 412: an unknown product with If-Match', async () => {
      const headers = { 'if-match': '"x"' };
      expectError(await post('/products/update', { identifier: 'NONE' }, { headers }), 404, /unique ID NONE/);
    });

    it('400: rejects invalid entries by name, and changes nothing', async () => {
      const before = await create('U5', { 'variations[U5-S][quantity]': '1', 'variations[U5-S][size]': 'S' });
      for (const [variations, message] of [
        [{ A: { identifier: 'B' } }, /^variations\[A\]: the key must be a number or the identifier "B"/],
        [[{ quantity: 1 }], /^variations\[0\]\[identifier\]: missing/],
        [Array(10_001).fill({}), /^variations: expected at most 10000 entries/],
        [null, /^variations: expected a list or an object/],
        [[{ identifier: 'A', quantity: 2.5 }], /^variations\[0\]\[quantity\]: expected a whole number/],
        [[{ identifier: 'A' }, { identifier: 'A' }], /^variations\[1\]: expected each identifier once/],
        [['A'], /^variations\[0\]: expected an object/],
        ['A', /^variations: expected a list or an object/],
        [[{ identifier: 'A', quantity: [1] }], /^variations\[0\]\[quantity\]: .*not a list or an object/],
        [[{ identifier: 'A', quantity: 2 ** 31 }], /^variations\[0\]\[quantity\]: expected a whole number/],
        [
          [{ identifier: 'U5-S', size: 'M' }],
          /^variations\[U5-S\]\[size\]: cannot change after creation: expected "S"/,
        ],
        [
          [{ identifier: 'U5-S', disabled_at: '2026-01-01T00:00:00Z' }],
          /^variations\[U5-S\]\[disabled_at\]: read-only/,
        ],
      ] as const) {
        expectError(await postJson('/products/update', { identifier: 'U5', variations }), 400, message);
      }
      for (const [fields, message] of [
        [{ 'variations[][quantity]': '1' }, /^variations\[0\]\[identifier\]: missing/],
        [
          { 'variations[][identifier]': 'A', 'variations[][quantity]': '2.5' },
          /^variations\[0\]\[quantity\]: expected a whole number/,
        ],
        [
          { 'variations[][identifier]': 'A', 'variations[A][quantity]': '2' },
          /^variations\[.\]: expected each identifier once, found "A" again/,
        ],
        [
          { 'variations[][identifier]': '', 'variations[][colour]': '' },
          /^The following parameters were provided but are not recognized: variations\[0\]\[colour\]/,
        ],
      ] as const) {
        expectError(await post('/products/update', { identifier: 'U5', ...fields }), 400, message);
      }
      const unknown = { identifier: 'U5', variations: [{ identifier: 'A', colour: 'red' }] };
      expectError(
        await postJson('/products/update', unknown),
        400,
        /^The following parameters were provided but are not recognized: variations\[0\]\[colour\]/,
      );
      for (const name of [
        'variations[A]',
        'variations[A][b][c]',
        'variations[]',
        'variations[][]',
        'variations[][b][c]',
      ]) {
        expectError(
          await post('/products/update', { identifier: 'U5', [name]: '1' }),
          400,
          /expected a name such as/,
        );
      }
      expectError(
        await post('/products/update', { identifier: 'U5', 'page[]': '1' }),
        400,
        /are not recognized: page\[\]/,
      );
      assert.deepEqual(product(await retrieve('U5')), before);
    });

    it('412: If-Match with an ETag from before another change; 200 with the current one, in any encoding', async () => {
      await create('U6', { description: 'long enough to be compressed '.repeat(50) });
      const read = async (encoding: string): Promise<string> => {
        const query = `identifier=U6&access_token=${merchant.token}`;
        const headers = { 'accept-encoding': encoding };
        return (await service().request('GET', `/products/retrieve?${query}`, { headers })).header('etag');
      };
      const [plain, compressed] = [await read('identity'), await read('gzip')];
      assert.match(plain, /^"/);
      assert.notEqual(plain, compressed);
      const change = (etag: string, brand: string): Promise<ClientResponse> =>
        post('/products/update', { identifier: 'U6', brand }, { headers: { 'if-match': etag } });
      const first = await change(compressed, 'one');
      assert.equal(first.status, 200, first.text);
      expectError(await change(plain, 'two'), 412, /^If-Match: the record has changed/);
      assert.equal((await change(`"other", ${first.header('etag')}`, 'three')).status, 200);
      assert.equal((await change('*', 'four')).status, 200);
      assert.equal(product(await retrieve('U6')).brand, 'four');
    });

    it('200: accepts more than 1,000 multipart fields', async () => {
      const entries = Array.from({ length: 1_500 }, (_, index): [string, string] => [
        `variations[U11-${index}][quantity]`,
        '1',
      ]);
      const multipart: [string, string][] = [['identifier', 'U11'], ['title', 'T'], ...entries];
      const path = `/products?access_token=${merchant.token}`;
      const created = product(await service().request('POST', path, { multipart }));
      assert.equal(created.available_quantity, 1_500);
    });

    it('200: of many changes at once, every one is applied', async () => {
      const entries = Array.from({ length: 20 }, (_, index): [string, string] => [
        `variations[U7-${index}][quantity]`,
        '1',
      ]);
      await create('U7', Object.fromEntries(entries));
      await Promise.all(
        entries.map(async ([name]) =>
          product(await patiently(() => post('/products/update', { identifier: 'U7', [name]: '5' }))),
        ),
      );
      assert.equal(product(await retrieve('U7')).available_quantity, 100);
    });

    it('404: there is no such product, or it is another merchant’s', async () => {
      const other = await service().newMerchant();
      await importDrafts(service(), other, [[draft('THEIRS')]]);
      for (const path of ['/products/update', '/products/enable', '/products/disable', '/products/delete']) {
        expectError(
          await post(path, { identifier: 'THEIRS' }),
          404,
          'There is no product with the unique ID THEIRS.',
        );
      }
      expectError(await post('/products/update', { internal_id: '999999' }), 404, /unique ID 999999/);
      await create('HERE');
      const stale = await post('/products/update', { identifier: 'HERE', internal_id: '999999' });
      expectError(stale, 400, /^internal_id: read-only: HERE has the internal_id \d+\.$/);
      const tooMany = await post('/products/update', {
        identifier: 'HERE',
        available_quantity: '2147483648',
      });
      expectError(tooMany, 400, /^available_quantity: expected at most 2147483647\.$/);
      for (const [name, value, message] of [
        ['primary_image', 'javascript:alert(1)', /^primary_image: expected a URL that starts with https:/],
        ['extra_images', 'https://a.example|data:,', /^extra_images: expected URLs, separated by \|, that/],
        [
          'variations[HERE-1][quantity]',
          '2147483647',
          /^available_quantity: expected at most 2147483647, fo/,
        ],
      ] as const) {
        const form = { identifier: 'HERE', 'variations[HERE-2][quantity]': '1', [name]: value };
        expectError(await post('/products/update', form), 400, message);
        expectError(await post('/products', { ...form, title: 'T', identifier: 'NEW' }), 400, message);
      }
      expectError(await post('/products/update', { title: 'T' }), 400, /^identifier: missing/);
    });
  });

  describe('POST products/enable, disable and delete', () => {
    it('200: set and clear the times; repeated, they change nothing', async () => {
      await create('S1', { available_quantity: '9' });
      const act = async (action: string): Promise<ShownProduct> => {
        service().passTime(1000);
        return product(await post(`/products/${action}`, { identifier: 'S1' }));
      };
      const disabled = await act('disable');
      assert.equal(disabled.status, 'disabled');
      assert.deepEqual(await act('disable'), disabled);
      const enabled = await act('enable');
      assert.deepEqual([enabled.status, enabled.disabled_at], ['in_stock', null]);
      assert.deepEqual(await act('enable'), enabled);
      const deleted = await act('delete');
      assert.equal(deleted.status, 'deleted');
      assert.ok(deleted.disabled_at !== null && deleted.deleted_at !== null);
      assert.deepEqual(await act('delete'), deleted);
      for (const action of ['enable', 'disable', 'update']) {
        expectError(
          await post(`/products/${action}`, { identifier: 'S1' }),
          400,
          /^identifier: the product S1 is deleted/,
        );
      }
    });

    it('200: `enable_catalog_only` limits a product to the catalog until it is enabled again', async () => {
      const created = await create('K1', { available_quantity: '9' });
      const act = async (action: string): Promise<ShownProduct> => {
        service().passTime(1000);
        return product(await post(`/products/${action}`, { identifier: 'K1' }));
      };
      const limited = await act('enable_catalog_only');
      assert.deepEqual([limited.status, limited.catalog_only_at], [created.status, limited.updated_at]);
      assert.deepEqual(await act('enable_catalog_only'), limited);
      const disabled = await act('disable');
      assert.deepEqual([disabled.status, disabled.catalog_only_at], ['disabled', limited.catalog_only_at]);
      const again = await act('enable_catalog_only');
      assert.deepEqual(
        [again.status, again.disabled_at, again.catalog_only_at],
        ['in_stock', null, limited.catalog_only_at],
      );
      const enabled = await act('enable');
      assert.deepEqual([enabled.status, enabled.catalog_only_at], ['in_stock', null]);
      await act('disable');
      const moved = await act('enable_catalog_only');
      assert.deepEqual([moved.disabled_at, moved.catalog_only_at], [null, moved.updated_at]);
      assert.equal((await act('disable')).catalog_only_at, moved.catalog_only_at);
      const cleared = await act('enable');
      assert.deepEqual([cleared.disabled_at, cleared.catalog_only_at], [null, null]);
      const { catalog_only_at } = await act('enable_catalog_only');
      for (const value of [catalog_only_at, null]) {
        const json = { identifier: 'K1', catalog_only_at: value };
        assert.equal(product(await postJson('/products/update', json)).catalog_only_at, catalog_only_at);
      }
      const json = { identifier: 'K1', catalog_only_at: '2026-01-01T00:00:00Z' };
      expectError(await postJson('/products/update', json), 400, /^catalog_only_at: read-only/);
      await act('delete');
      expectError(
        await post('/products/enable_catalog_only', { identifier: 'K1' }),
        400,
        /^identifier: the product K1 is deleted/,
      );
      assert.equal((await create('K1')).catalog_only_at, null);
      expectError(
        await post('/products/enable_catalog_only', { identifier: 'NONE' }),
        404,
        /^There is no product with the unique ID NONE\.$/,
      );
    });

    it('200: `enable_catalog_only` leaves a status that the operator stated, unless the product was disabled', async () => {
      await importDrafts(service(), merchant, [
        [
          draft('K2', { status: 'sold_out', available_quantity: 9 }),
          draft('K3', { status: 'disabled', available_quantity: 9 }),
          draft('K4', { catalog_only_at: '2026-01-01T00:00:00Z' }),
        ],
      ]);
      const limit = async (identifier: string): Promise<ShownProduct> =>
        product(await post('/products/enable_catalog_only', { identifier }));
      assert.equal((await limit('K2')).status, 'sold_out');
      assert.equal((await limit('K3')).status, 'in_stock');
      assert.equal((await limit('K4')).catalog_only_at, '2026-01-01T00:00:00Z');
    });

    it('200: leave a status that the operator stated, and treat a stated “deleted” like a deletion', async () => {
      await importDrafts(service(), merchant, [
        [draft('S3', { status: 'in_stock', available_quantity: 0 }), draft('S4', { status: 'deleted' })],
      ]);
      assert.equal(product(await post('/products/enable', { identifier: 'S3' })).status, 'in_stock');
      expectError(await post('/products/enable', { identifier: 'S4' }), 400, /S4 is deleted/);
      assert.equal((await create('S4')).status, 'enabled');
    });

    it('200: do not lift the operator’s ban', async () => {
      await importDrafts(service(), merchant, [[draft('S2', { status: 'banned' })]]);
      for (const action of ['disable', 'enable']) {
        assert.equal(product(await post(`/products/${action}`, { identifier: 'S2' })).status, 'banned');
      }
      await post('/products/delete', { identifier: 'S2' });
      assert.equal((await create('S2')).status, 'banned');
    });
  });

  describe('GET products/retrieve and schema', () => {
    it('200: finds a product by either id; 400 for none or both; 404 for others', async () => {
      const created = await create('R1');
      const get = (query: Record<string, string>) => service().get('/products/retrieve', merchant, query);
      assert.deepEqual(product(await get({ internal_id: String(created.internal_id) })), created);
      expectError(await get({}), 400, /^identifier: send exactly one of identifier and internal_id/);
      expectError(
        await get({ identifier: 'R1', internal_id: '1' }),
        400,
        /^identifier: send exactly one of identifier and internal_id/,
      );
      expectError(await get({ identifier: '?!' }), 404, 'There is no product with the unique ID ?!.');
    });

    it('200: lists the fields in the order of records', async () => {
      const record = await create('R2', { 'variations[R2-S][quantity]': '1' });
      for (const [path, shown] of [
        ['/products/schema', record],
        ['/variations/schema', { product_identifier: 'R2', ...record.variations[0] }],
      ] as const) {
        const fields = (await service().get(path, merchant)).json<Record<string, unknown>[]>();
        assert.deepEqual(
          fields.map(({ field }) => field),
          Object.keys(shown ?? {}),
        );
        for (const field of fields) {
          assert.deepEqual(Object.keys(field), ['field', 'name', 'required', 'readonly', 'description']);
        }
        // The stock is the merchant's where there are no variations.
        const stock = fields.find(({ field }) => field === 'available_quantity');
        assert.equal(stock?.readonly ?? false, false);
      }
    });
  });
});
