import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { tokenHint } from '../../src/api-keys/token.ts';
import { TokenVerifier } from '../../src/api-keys/verify-token.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement, type Value } from '../../src/database/statement.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { allEndpoints, createEndpointRecords, everyEndpoint, takesLines } from '../support/endpoints.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createKey, revokeKey } from '../support/keys.ts';
import { type TestService, useService } from '../support/service.ts';

const MISSING = /^An access_token is required/;
const INVALID = /^The access_token is not valid: it is unknown, or it has been revoked or has expired\.$/;

forEachEngine((engine) => {
  // These tests send more rejected tokens than one address may send per minute.
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });

  let refused: string[];
  before(async () => {
    const merchant = await service().newMerchant();
    const expired = await service().newKey(merchant, service().now());
    const revoked = await service().newKey(merchant);
    await revokeKey(service(), revoked.id);
    refused = ['tp_unknown', expired.token, revoked.token, `${merchant.token}x`];
  });

  // All of them check what the same statement finds.
  const checked = engine === sqlite ? everyEndpoint : everyEndpoint.slice(0, 2);
  for (const { method, path, query } of checked) {
    it(`401: ${method} ${path} rejects a missing or blank token`, async () => {
      const blank = ['', '%20', '%09+', undefined].map((token) =>
        token === undefined ? '' : `&access_token=${token}`,
      );
      for (const token of [...blank, '&access_token']) {
        expectError(
          await service().request(method, `${path}?${new URLSearchParams(query)}${token}`),
          401,
          MISSING,
        );
      }
      expectError(
        await service().request(
          method,
          path,
          takesLines({ path }) ? {} : { json: { ...query, access_token: null } },
        ),
        401,
        MISSING,
      );
    });

    it(`401: ${method} ${path} rejects an unknown, revoked or expired token with the same message`, async () => {
      const texts = new Set<string>();
      for (const access_token of refused) {
        const sent = takesLines({ path })
          ? { headers: { authorization: `Bearer ${access_token}` } }
          : { form: { ...query, access_token } };
        const response = await service().request(method, path, sent);
        expectError(response, 401, INVALID);
        texts.add(response.text);
      }
      assert.equal(texts.size, 1);
    });
  }

  it('200: accepts the token in the query, a form, JSON and multipart', async () => {
    const { token: access_token } = await service().newMerchant();
    const request = service().request.bind(service());
    for (const response of [
      await request('GET', `/products.json?access_token=${access_token}`),
      await request('GET', '/products.json', { form: { access_token } }),
      await request('GET', '/products.json', { json: { access_token } }),
      await request('GET', '/products.json', { multipart: [['access_token', access_token]] }),
      await request('GET', `/products.json?access_token=${access_token}`, { form: { access_token } }),
    ]) {
      assert.equal(response.status, 200, response.text);
    }
  });

  it('200: accepts the token as Authorization: Bearer, also next to the same token elsewhere', async () => {
    const merchant = await service().newMerchant();
    const { token } = merchant;
    const other = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('mine')]]);
    // The second round gets cached responses.
    for (let round = 0; round < 2; round += 1) {
      for (const authorization of [`Bearer ${token}`, `bearer  ${token}`]) {
        for (const path of ['/products.json', `/products.json?access_token=${token}`]) {
          const response = await service().request('GET', path, { headers: { authorization } });
          assert.equal(response.status, 200, response.text);
          assert.equal(response.json<unknown[]>().length, 1);
        }
        const headers = { authorization: `Bearer ${other.token}` };
        const response = await service().request('GET', '/products.json', { headers });
        assert.deepEqual(response.json(), []);
      }
    }
  });

  it('400: rejects different tokens in the header and elsewhere', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    const headers = { authorization: `Bearer ${one.token}` };
    const path = `/products.json?access_token=${other.token}`;
    for (let round = 0; round < 2; round += 1) {
      const response = await service().request('GET', path, { headers });
      expectError(response, 400, /^access_token: given more than once, with different values\.$/);
      assert.equal((await service().request('GET', path)).status, 200);
    }
  });

  it('401: ignores other schemes, headers and cookies', async () => {
    const { token } = await service().newMerchant();
    const headers = {
      authorization: `Basic ${token}`,
      access_token: token,
      cookie: `access_token=${token}`,
    };
    expectError(await service().request('GET', '/products.json', { headers }), 401, MISSING);
  });

  it('401: rejects a JSON token that is a number, a boolean, an array or an object', async () => {
    for (const access_token of [12345, true, ['a'], { a: 1 }]) {
      expectError(await service().request('GET', '/products.json', { json: { access_token } }), 401, INVALID);
    }
  });

  it('401: rejects a token that is not UTF-8 or contains NUL', async () => {
    const { token } = await service().newMerchant();
    for (const wrong of [`${token}%00`, `${token}%ff`, '%zz']) {
      expectError(await service().request('GET', `/products.json?access_token=${wrong}`), 401, INVALID);
    }
  });

  it('401 or 400: rejects two different tokens, even if one of them is valid', async () => {
    const { token } = await service().newMerchant();
    const two = await service().request('GET', `/products.json?access_token=x&access_token=${token}`);
    expectError(two, 400, /^access_token: given more than once, with different values\.$/);
    const across = await service().request('GET', `/products.json?access_token=${token}`, {
      form: { access_token: 'x' },
    });
    expectError(across, 400, /^access_token: given more than once/);
    expectError(await service().request('GET', '/products.json?access_token=x&access_token=y'), 401, INVALID);
  });

  it('401: a key expires to the millisecond, even for cached pages', async () => {
    const merchant = await service().newMerchant();
    const key = await service().newKey(merchant, service().now() + 60_000);
    service().passTime(59_999);
    for (let time = 0; time < 3; time += 1) {
      assert.equal((await service().get('/products.json', key)).status, 200);
    }
    service().passTime(1);
    expectError(await service().get('/products.json', key), 401, INVALID);
  });

  it('401: a key revoked over another connection is rejected by every endpoint from the next request on', async () => {
    const merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
    const key = await service().newKey(merchant);
    for (const { method, path, query } of [...allEndpoints, ...allEndpoints]) {
      const response = await service().request(
        method,
        `${path}?${new URLSearchParams({ ...query, access_token: key.token })}`,
      );
      assert.equal(response.status, 200, response.text);
    }
    const other = await openDatabase(service().config, service().now());
    try {
      await revokeKey({ database: other, now: service().now }, key.id);
    } finally {
      await other.close();
    }
    for (const { method, path, query } of allEndpoints) {
      const response = await service().request(
        method,
        `${path}?${new URLSearchParams({ ...query, access_token: key.token })}`,
      );
      expectError(response, 401, INVALID);
    }
    assert.equal((await service().get('/products.json', merchant)).status, 200);
  });

  it('a refused token counts as a guess, even if it was valid before', async () => {
    const merchant = await service().newMerchant();
    const verifier = TokenVerifier.ofMerchants(service().database, service().now);
    const known = () => [verifier.wasValid(merchant.token), verifier.merchantOf(merchant.token)];
    assert.deepEqual(known(), [false, undefined]);
    assert.equal((await verifier.verify(merchant.token))?.merchantId, merchant.id);
    assert.deepEqual(known(), [true, merchant.id]);
    await revokeKey({ database: service().database, now: service().now }, merchant.keyId);
    assert.equal(await verifier.verify(merchant.token), undefined);
    assert.deepEqual(known(), [false, undefined]);
  });

  it('200: a key created over another connection is valid from the next request on', async () => {
    const merchant = await service().newMerchant();
    const token = 'a-token-from-elsewhere-1';
    expectError(await service().get('/products.json', { token }), 401, INVALID);
    const other = await openDatabase(service().config, service().now());
    await createKey(
      { database: other, now: service().now },
      { merchantId: merchant.id, name: 'n', expiresAt: null, token },
    );
    await other.close();
    assert.equal((await service().get('/products.json', { token })).status, 200);
  });

  it('stores no token in the log, the database or the data directory', async () => {
    const merchant = await service().newMerchant();
    const before = service().log.length;
    await service().get('/products.json', merchant, { page: 'x' });
    await service().request('GET', `/nowhere?access_token=${merchant.token}`);
    await service().request('GET', `/%zz?access_token=${merchant.token}`);
    await service().request('PUT', '/products.json', { form: { access_token: merchant.token } });
    await service().request('POST', '/campaigns.json', { body: `access_token=${merchant.token}` });
    const lines = service().log.slice(before);
    assert.ok(lines.length >= 5, `${lines.length} lines for 5 requests`);
    assert.equal(lines.filter((line) => line.includes(merchant.token)).length, 0);
    const bytes = await storedBytes(service());
    assert.ok(bytes.includes('Merchant no. 1'));
    assert.equal(bytes.includes(merchant.token), false);
  });
});

async function storedBytes({ database, config }: TestService): Promise<Buffer> {
  const stored: Uint8Array[] = [];
  for (const { name } of await database.all(database.dialect.listTables)) {
    const rows = await database.all(statement<unknown, Record<string, Value>>(`SELECT * FROM ${name}`));
    const values = rows.flatMap((row) => Object.values(row));
    stored.push(...values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(`${value}`))));
  }
  for (const entry of await readdir(config.dataDirectory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) stored.push(await readFile(join(entry.parentPath, entry.name)));
  }
  return Buffer.concat(stored);
}

it('shows the beginning and the end of a token only if it has at least 20 characters', () => {
  assert.deepEqual(tokenHint('abcdefghijklmnopqrs'), { start: '', end: '' });
  assert.deepEqual(tokenHint('abcdefghijklmnopqrst'), { start: 'abcdef', end: 'qrst' });
});
