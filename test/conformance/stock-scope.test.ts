import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Scope } from '../../src/api-keys/scopes.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { accepted } from '../support/writes.ts';

interface Line {
  result: string;
  errors: { name: string; reason: string }[];
}

const OF_PRODUCT = 'identifier, internal_id, available_quantity, variations[SKU][quantity]';
const OF_LINE = 'identifier, variation, quantity, quantity_change, quantity_was';

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  let stock: string;
  let write: string;
  let products = 0;

  const newKey = async (scopes: readonly Scope[], mode: 'live' | 'test' = 'live'): Promise<string> => {
    const key = { merchantId: merchant.id, name: scopes.join(), scopes, expiresAt: null, mode };
    return (await createKey(service(), key)).token;
  };
  before(async () => {
    merchant = await service().newMerchant();
    stock = await newKey(['stock']);
    write = await newKey(['write']);
  });

  const send = (
    path: string,
    json: unknown,
    { token = stock, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
  ): Promise<ClientResponse> =>
    service().request('POST', path, { json, headers: { authorization: `Bearer ${token}`, ...headers } });
  const retrieve = async (identifier: string): Promise<Record<string, unknown>> =>
    accepted(await service().get('/products/retrieve', merchant, { identifier }));
  const linesOf = (response: ClientResponse): Line[] => accepted<{ results: Line[] }>(response).results;
  const reasonsOf = (response: ClientResponse): string[][] =>
    linesOf(response).map(({ errors }) => errors.map(({ name, reason }) => `${name}: ${reason}`));

  /** A product without variations, and one with two. */
  const newProducts = async (): Promise<{ plain: string; sized: string; small: string; medium: string }> => {
    products += 1;
    const names = { plain: `P-${products}`, sized: `S-${products}` };
    const [small, medium] = [`${names.sized}-S`, `${names.sized}-M`];
    const variations = [
      { identifier: small, quantity: 4 },
      { identifier: medium, quantity: 5, size: 'M', color: 'Red' },
    ];
    await importDrafts(service(), merchant, [
      [
        draft(names.plain, { title: 'T', brand: 'B', available_quantity: 3 }),
        draft(names.sized, { title: 'T' }, variations),
      ],
    ]);
    return { ...names, small, medium };
  };

  describe('a key with the scope stock and without write', () => {
    it('200: sets the quantities of products and variations, and gets the record', async () => {
      const { plain, sized, small, medium } = await newProducts();
      const set = accepted(await send('/products/update', { identifier: plain, available_quantity: 7 }));
      assert.deepEqual([set.identifier, set.available_quantity, set.brand], [plain, 7, 'B']);
      const { internal_id } = set;
      const cleared = accepted(await send('/products/update', { internal_id, available_quantity: null }));
      assert.deepEqual([cleared.available_quantity, cleared.status], [0, 'enabled']);
      const listed = { identifier: sized, variations: { [small]: { quantity: 1 } } };
      assert.equal(accepted(await send('/products/update', listed)).available_quantity, 6);
      const form = { identifier: sized, [`variations[${medium}][quantity]`]: '2', brand: '' };
      const inForm = await service().request('POST', '/products/update', {
        form: { ...form, access_token: stock },
      });
      assert.equal(accepted(inForm).available_quantity, 3);
      const changes = [
        [{ identifier: small, product_identifier: sized, quantity: 9 }, 9],
        [{ identifier: small, quantity_change: -2, quantity_was: 9 }, 7],
      ] as const;
      for (const [change, expected] of changes)
        assert.equal(accepted(await send('/variations/update', change)).quantity, expected);
      expectError(
        await send('/variations/update', { identifier: small, quantity: 1, quantity_was: 9 }),
        400,
        /^quantity_was: the current quantity is 7/,
      );
      const { variations } = await retrieve(sized);
      assert.deepEqual(
        (variations as { quantity: number }[]).map(({ quantity }) => quantity),
        [7, 2],
      );
    });

    it('403 or 401: any other field is refused by name, even with its current value, and nothing changes', async () => {
      const { plain, sized, small, medium } = await newProducts();
      const before = [await retrieve(plain), await retrieve(sized)];
      const product = { identifier: plain, available_quantity: 9 };
      const cases: [path: string, input: object, fields: string, allowed: string][] = [
        ['/products/update', { ...product, brand: 'B' }, 'brand', OF_PRODUCT],
        [
          '/products/update',
          { ...product, retail_price: 2, title: 'New' },
          'title, retail_price',
          OF_PRODUCT,
        ],
        ['/products/update', { ...product, brand: null }, 'brand', OF_PRODUCT],
        ['/products/update', { ...product, starting_bid: 1 }, 'starting_bid', OF_PRODUCT],
        ['/products/update', { ...product, disabled_at: null }, 'disabled_at', OF_PRODUCT],
        [
          '/products/update',
          {
            identifier: sized,
            variations: { [small]: { quantity: 9 }, [medium]: { quantity: 9, color: 'Red' } },
          },
          `variations[${medium}][color]`,
          OF_PRODUCT,
        ],
        [
          '/variations/update',
          { identifier: medium, quantity: 9, size: 'M', deleted_at: null },
          'size, deleted_at',
          'identifier, internal_id, product_identifier, product_internal_id, quantity, quantity_change, quantity_was',
        ],
      ];
      for (const [path, input, fields, allowed] of cases) {
        const refused = await send(path, input);
        expectError(
          refused,
          403,
          'The key of this access_token has the scope stock without write, so it can change only quantities. ' +
            `Not allowed: ${fields}. Allowed: ${allowed}. For other fields, use a key that has the scope write.`,
        );
        assert.equal(refused.headers['tradepost-error'], 'only_quantities');
        const inBody = await service().request('POST', path, { json: { ...input, access_token: stock } });
        expectError(inBody, 401, refused.message);
        const described = await send(path, input, { headers: { 'tradepost-problems': 'true' } });
        const { problems } = described.json<{ problems: { field: string }[] }>();
        assert.deepEqual(problems.map(({ field }) => field).join(', '), fields);
      }
      assert.deepEqual([await retrieve(plain), await retrieve(sized)], before);
    });

    it('400: unknown and invalid parameters are reported first', async () => {
      const { plain } = await newProducts();
      const update = (fields: object): Promise<ClientResponse> =>
        send('/products/update', { identifier: plain, brand: 'New', ...fields });
      expectError(await update({ available_quantty: 1 }), 400, /available_quantty/);
      expectError(await update({ available_quantity: -1 }), 400, /^available_quantity: expected/);
    });

    it('400 and 404: no product and no variation is created, by any form', async () => {
      const { plain, sized, small } = await newProducts();
      const before = [await retrieve(plain), await retrieve(sized)];
      const none = { identifier: 'NEW', available_quantity: 1 };
      expectError(await send('/products/update', none), 404, /unique ID NEW/);
      expectError(await send('/variations/update', { identifier: 'NEW', quantity: 1 }), 404, /unique ID NEW/);
      for (const variations of [
        { NEW: { quantity: 1 } },
        [{ identifier: 'NEW' }, { identifier: small, quantity: 1 }],
      ])
        for (const identifier of [plain, sized])
          expectError(
            await send('/products/update', { identifier, variations }),
            400,
            /^variations\[NEW\]: the product has no variation with this unique ID, and the scope stock adds none/,
          );
      const sent = [
        { identifier: 'NEW', available_quantity: 1 },
        { identifier: 'NEW', title: 'T' },
        { identifier: sized, variations: [{ identifier: 'NEW', quantity: 1 }] },
        { identifier: 'NEW', variation: 'NEW', quantity: 1 },
        { identifier: sized, variation: 'NEW', quantity: 1 },
      ];
      const unknownProduct = 'there is no product with the unique ID NEW';
      assert.deepEqual(reasonsOf(await send('/products/batch', sent)), [
        [`identifier: ${unknownProduct}, and the scope stock creates none`],
        [`title: only quantities may be changed with the scope stock: expected only ${OF_PRODUCT}`],
        ['variations[NEW]: the product has no variation with this unique ID, and the scope stock adds none'],
        [`identifier: ${unknownProduct}`],
        [`variation: the product ${sized} has no variation with the unique ID NEW`],
      ]);
      const unknown = await service().get('/products/retrieve', merchant, { identifier: 'NEW' });
      assert.equal(unknown.status, 404);
      assert.deepEqual([await retrieve(plain), await retrieve(sized)], before);
    });

    it('200: in a batch, lines with other fields are rejected, and the others are stored', async () => {
      const { plain, sized, small, medium } = await newProducts();
      const sent = [
        { identifier: plain, available_quantity: 8 },
        { identifier: plain, available_quantity: 9, brand: 'New', retail_price: 2 },
        { identifier: sized, variations: { [small]: { quantity: 1 } } },
        { identifier: sized, variations: { [small]: { quantity: 2, size: 'M' } } },
        { identifier: sized, variation: medium, quantity_change: -1, quantity_was: 5 },
        { identifier: sized, variation: medium, quantity: 2, color: 'Red' },
        { identifier: plain, brand: '', available_quantity: 8 },
      ];
      const response = await send('/products/batch', sent);
      assert.deepEqual(
        linesOf(response).map(({ result }) => result),
        ['updated', 'rejected', 'updated', 'rejected', 'updated', 'rejected', 'unchanged'],
      );
      const { updated, rejected } = response.json<Record<string, number>>();
      assert.deepEqual([updated, rejected], [3, 3]);
      const refused = 'only quantities may be changed with the scope stock: expected only';
      assert.deepEqual(reasonsOf(response), [
        [],
        [`brand: ${refused} ${OF_PRODUCT}`, `retail_price: ${refused} ${OF_PRODUCT}`],
        [],
        [`variations[${small}][size]: ${refused} ${OF_PRODUCT}`],
        [],
        [`color: ${refused} ${OF_LINE}`],
        [],
      ]);
      const { available_quantity, brand } = await retrieve(plain);
      assert.deepEqual([available_quantity, brand], [8, 'B']);
      assert.equal((await retrieve(sized)).available_quantity, 5);
    });

    it('200: large batches and updates are limited too', async () => {
      const { plain } = await newProducts();
      const lines = Array.from({ length: 1_000 }, (_, i) => ({
        identifier: plain,
        ...(i % 2 === 0 ? { available_quantity: i } : { description: 'x'.repeat(200) }),
      }));
      const results = linesOf(await send('/products/batch', lines));
      assert.ok(results.every(({ result }, i) => (result === 'rejected') === (i % 2 === 1)));
      const fields = { identifier: plain, available_quantity: 1, description: 'x'.repeat(100_000) };
      expectError(await send('/products/update', fields), 403, /Not allowed: description\./);
      const { available_quantity, description } = await retrieve(plain);
      assert.deepEqual([available_quantity, description], [998, null]);
    });

    it('403: a message names at most 100 fields', async () => {
      const { sized } = await newProducts();
      const variations = Array.from({ length: 10_000 }, (_, i) => ({ identifier: `V-${i}`, size: 'L' }));
      const refused = await send('/products/update', { identifier: sized, variations });
      expectError(refused, 403, /variations\[V-99\]\[size\] and more\. Allowed: /);
      assert.ok(!refused.message.includes('V-100'));
    });

    it('403: calls of all other scopes are refused', async () => {
      const { plain, small } = await newProducts();
      const calls: [method: string, path: string, scope: Scope][] = [
        ['POST', `/products?identifier=NEW&title=T`, 'write'],
        ...['enable', 'enable_catalog_only', 'disable', 'delete'].map((action): [string, string, Scope] => [
          'POST',
          `/products/${action}?identifier=${plain}`,
          'write',
        ]),
        ['POST', `/variations?product_identifier=${plain}&identifier=NEW`, 'write'],
        ...['enable', 'disable', 'delete'].map((action): [string, string, Scope] => [
          'POST',
          `/variations/${action}?identifier=${small}`,
          'write',
        ]),
        ['POST', '/imports', 'write'],
        ['GET', `/products/retrieve?identifier=${plain}`, 'read'],
        ['GET', '/products', 'read'],
        ['POST', '/campaigns?name=N&type=AuctionCampaign', 'campaigns'],
        ['GET', '/orders', 'orders'],
      ];
      for (const [method, path, scope] of calls) {
        const response = await service().request(method, path, {
          headers: { authorization: `Bearer ${stock}` },
        });
        expectError(response, 403, new RegExp(`does not have the scope ${scope}: `));
      }
    });

    it('200 and 403: on the test side, errors can be simulated before fields are refused', async () => {
      const test = await newKey(['write'], 'test');
      const limited = await newKey(['stock'], 'test');
      accepted(
        await send('/products', { identifier: 'T', title: 'T', available_quantity: 1 }, { token: test }),
      );
      const update = (fields: object, headers = {}): Promise<ClientResponse> =>
        send('/products/update', { identifier: 'T', ...fields }, { token: limited, headers });
      const set = accepted(await update({ available_quantity: 2 }));
      assert.equal(set.available_quantity, 2);
      expectError(await update({ title: 'New' }), 403, /Not allowed: title\./);
      const simulated = await update({ title: 'New' }, { 'tradepost-simulate': 'status=503' });
      expectError(simulated, 503, /unavailable/);
      const missing = await send('/products', { identifier: 'N', title: 'N' }, { token: limited });
      expectError(missing, 403, /scope write: /);
    });
  });

  describe('Idempotency-Key of keys with different scopes', () => {
    const keyed = (key: string, token: string): { token: string; headers: Record<string, string> } => ({
      token,
      headers: { 'idempotency-key': key },
    });

    it('200: changes of quantities are the same request, and are made once', async () => {
      const { small } = await newProducts();
      const change = { identifier: small, quantity_change: -1 };
      const first = await send('/variations/update', change, keyed('same', stock));
      const again = await send('/variations/update', change, keyed('same', write));
      assert.deepEqual([accepted(first).quantity, again.text], [3, first.text]);
    });

    it('403: a change of other fields that another key made is not repeated to a key that may not make it', async () => {
      const { plain } = await newProducts();
      const change = { identifier: plain, brand: 'New' };
      expectError(await send('/products/update', change, keyed('other', stock)), 403, /Not allowed: brand/);
      accepted(await send('/products/update', change, keyed('other', write)));
      expectError(await send('/products/update', change, keyed('other', stock)), 403, /Not allowed: brand/);
    });

    it('400: a batch is repeated only to keys with the same limit', async () => {
      const { plain } = await newProducts();
      const lines = [
        { identifier: plain, available_quantity: 9 },
        { identifier: plain, brand: 'New' },
      ];
      const both = await newKey(['stock', 'write']);
      const first = await send('/products/batch', lines, keyed('limited', stock));
      assert.deepEqual(
        linesOf(first).map(({ result }) => result),
        ['updated', 'rejected'],
      );
      assert.equal((await send('/products/batch', lines, keyed('limited', stock))).text, first.text);
      for (const token of [write, both])
        expectError(await send('/products/batch', lines, keyed('limited', token)), 400, /different request/);
      const wide = await send('/products/batch', lines, keyed('wide', write));
      assert.deepEqual(
        linesOf(wide).map(({ result }) => result),
        ['unchanged', 'updated'],
      );
      assert.equal((await send('/products/batch', lines, keyed('wide', both))).text, wide.text);
      expectError(await send('/products/batch', lines, keyed('wide', stock)), 400, /different request/);
    });
  });

  it('200: a key with write, with or without stock, and an editor’s session change everything', async () => {
    const editor = await signedIn(service(), merchant, 'editor');
    const senders = [
      ...[write, await newKey(['stock', 'write']), merchant.token].map(
        (token) => (path: string, json: unknown) => send(path, json, { token }),
      ),
      (path: string, json: unknown) => editor.post(`/v1${path}`, json),
    ];
    for (const post of senders) {
      const { plain, sized, medium } = await newProducts();
      const update = { identifier: plain, available_quantity: 5, brand: 'New', variations: {} };
      assert.equal(accepted(await post('/products/update', update)).brand, 'New');
      const added = { identifier: sized, variations: { [`${sized}-X`]: { quantity: 1, size: 'X' } } };
      accepted(await post('/products/update', added));
      accepted(
        await post('/variations/update', { identifier: medium, quantity: 1, size: 'M', color: 'Red' }),
      );
      const lines = [
        { identifier: plain, title: 'New' },
        { identifier: `${plain}-2`, title: 'T' },
        { identifier: sized, variation: medium, quantity: 3, size: 'M' },
      ];
      const response = await post('/products/batch', lines);
      assert.deepEqual(
        linesOf(response).map(({ result }) => result),
        ['updated', 'created', 'updated'],
      );
    }
  });
});
