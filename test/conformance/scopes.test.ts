import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { defaultScopes, hasScope, type Scope, scopes } from '../../src/api-keys/scopes.ts';
import { statement } from '../../src/database/statement.ts';
import { everyEndpoint } from '../support/endpoints.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const setScopes = statement<{ merchantId: number; scopes: string }, never>(
  'UPDATE api_keys SET scopes = :scopes WHERE merchant_id = :merchantId',
);

forEachEngine((engine) => {
  const service = useService(engine);
  const newKey = async ({ id }: TestMerchant, granted: readonly Scope[]): Promise<string> => {
    const key = { merchantId: id, name: 'limited', scopes: granted, expiresAt: null };
    return (await createKey(service(), key)).token;
  };

  const keys = new Map<Scope, string>();
  before(async () => {
    const merchant = await service().newMerchant();
    for (const granted of scopes) keys.set(granted, await newKey(merchant, [granted]));
  });

  // All of them check the scopes that the same statement finds.
  const checked = engine === sqlite ? everyEndpoint : everyEndpoint.slice(0, 2);
  for (const { method, path, query: valid, scope } of checked) {
    if (scope === null) continue;
    // With the scope `stock` alone, a product's other fields are refused.
    const query = path === '/products/update.json' ? { identifier: 'POT-1', available_quantity: '1' } : valid;
    it(`401 or 403: ${method} ${path} requires a key with the scope ${scope}`, async () => {
      const named = scope === 'stock' ? 'write or stock' : scope;
      for (const [granted, token] of keys) {
        const all = new URLSearchParams({ ...query, access_token: token });
        const bearer = { headers: { authorization: `Bearer ${token}` } };
        const inQuery = await service().request(method, `${path}?${all}`);
        const inHeader = await service().request(method, `${path}?${new URLSearchParams(query)}`, bearer);
        for (const [response, status] of [
          [inQuery, 401],
          [inHeader, 403],
        ] as const) {
          if (hasScope([granted], scope)) assert.ok(![401, 403].includes(response.status), response.text);
          else expectError(response, status, new RegExp(`^The key .* does not have the scope ${named}: `));
        }
      }
    });
  }

  it('401: reports a missing scope before invalid parameters, and after an invalid token', async () => {
    const token = await newKey(await service().newMerchant(), ['campaigns']);
    const path = '/products.json?page=0&unknown=1&access_token=';
    expectError(await service().request('GET', path + token), 401, /scope read/);
    expectError(await service().request('GET', `${path}x`), 401, /access_token/);
  });

  it('a wider scope is only that of stock, which write includes', () => {
    const allowed = scopes.map((granted) => scopes.filter((needed) => hasScope([granted], needed)));
    const expected = scopes.map((scope) => (scope === 'write' ? ['write', 'stock'] : [scope]));
    assert.deepEqual(allowed, expected);
  });

  it('grants new keys all scopes except stock, customers and webhooks, and returns them with GET account and account/me', async () => {
    assert.deepEqual(defaultScopes, ['read', 'write', 'campaigns', 'orders', 'fulfillment']);
    const merchant = await service().newMerchant('Europe/Vienna');
    const limited = await newKey(merchant, ['campaigns', 'read']);
    const chosen = await newKey(merchant, ['webhooks', 'customers', 'stock']);
    for (const [token, granted, name] of [
      [merchant.token, defaultScopes, 'default'],
      [limited, ['read', 'campaigns'], 'limited'],
      [chosen, ['stock', 'customers', 'webhooks'], 'limited'],
    ] as const) {
      for (const path of ['/account.json', '/account', '/account/me']) {
        const response = await service().get(path, { token });
        assert.equal(response.status, 200, response.text);
        const { key, ...account } = response.json<{ key: Record<string, unknown>; name: string }>();
        assert.deepEqual(account, {
          name: account.name,
          time_zone: 'Europe/Vienna',
          currency: 'USD',
          mode: 'live',
        });
        assert.deepEqual(key, { id: key.id, name, scopes: granted, expires_at: null, fields: 'standard' });
      }
    }
  });

  it('applies a change of scopes to the next request', async () => {
    const merchant = await service().newMerchant();
    for (let time = 0; time < 3; time += 1) {
      assert.equal((await service().get('/products.json', merchant)).status, 200);
    }
    await service().database.transaction((connection) =>
      connection.run(setScopes, { merchantId: merchant.id, scopes: 'campaigns' }),
    );
    for (const path of ['/products.json', '/performance/sales.json']) {
      expectError(await service().get(path, merchant), 401, /scope read/);
    }
  });
});
