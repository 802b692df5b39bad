import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { listOperatorKeys } from '../../src/api-keys/list-keys.ts';
import { revokeKey as revoke } from '../../src/api-keys/revoke-key.ts';
import { rotateKey as rotate } from '../../src/api-keys/rotate-key.ts';
import { hasScope, operatorScopes, widerScope } from '../../src/api-keys/scopes.ts';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { listOperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import { everyEndpoint, importFile } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createOperatorKey, revokeKey, rotateKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { operatorEndpoints } from './operator-endpoints.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const REFUSED = /^The access_token is not valid: it is unknown, or it has been revoked or has expired\.$/;
const OF_MERCHANT = /^The access_token is not valid: it is the token of a merchant’s key,/;
const OF_OPERATOR = /^The access_token is not valid: it is the token of an operator key,/;
const MISSING = /^The token of an operator key is required, as “Authorization: Bearer TOKEN”\.$/;
const listHashes = statement<unknown, { token_hash: Uint8Array }>('SELECT token_hash FROM access_tokens');

forEachEngine((engine) => {
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });
  const list = (sent: string) => service().operator('GET', '/merchants', sent);

  it('405: rejects any other method on a path with parameters, with Allow; 404: a path with an empty one', async () => {
    for (const path of ['/merchants/nobody', '/merchants/a:b@c.d']) {
      for (const method of ['POST', 'DELETE', 'PATCH', 'PROPFIND']) {
        const response = await service().operator(method, path, token);
        expectError(response, 405, new RegExp(`^${method} is not allowed on /operator/v1${path}`));
        assert.equal(response.header('allow'), 'GET, HEAD, PUT, OPTIONS');
      }
    }
    expectError(await service().operator('POST', '/merchants', token), 405, /use GET or HEAD\.$/);
    for (const path of ['/merchants/', '/merchants//', '/merchants/a/', '/merchants/a/b'])
      expectError(await service().operator('GET', path, token), 404, /^There is nothing at /);
  });

  it('401: a merchant’s key on the operator API, and an operator key on v1, reveal nothing else', async () => {
    const merchant = await service().newMerchant();
    for (const { method, path, sent } of operatorEndpoints) {
      expectError(await service().operator(method, path, merchant.token, sent), 401, OF_MERCHANT);
      expectError(await service().operator(method, path, 'tp_unknown', sent), 401, OF_MERCHANT);
      expectError(await service().operator(method, path, 'tpo_unknown', sent), 401, REFUSED);
    }
    // Also after each verifier has seen the token where it is valid.
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await list(token)).status, 200);
      assert.equal((await service().get('/products.json', merchant)).status, 200);
      expectError(await service().get('/products.json', { token }), 401, OF_OPERATOR);
      expectError(await list(merchant.token), 401, OF_MERCHANT);
    }
  });

  it('401: an operator key on each call of v1, with the same response as an unknown token of its kind', async () => {
    for (const { method, path, query } of everyEndpoint) {
      const refused = await Promise.all(
        [token, 'tpo_unknown'].map((sent) =>
          service().request(method, `${path}?${new URLSearchParams({ ...query, access_token: sent })}`, {
            ...(path === importFile.path &&
              method === 'POST' && {
                body: 'identifier\n',
                headers: { 'content-type': 'text/csv' },
              }),
          }),
        ),
      );
      for (const response of refused) expectError(response, 401, OF_OPERATOR);
    }
  });

  it('401: without a token, and with one anywhere but in the header', async () => {
    for (const { method, path, sent = {} } of operatorEndpoints) {
      const url = `/operator/v1${path}${path.includes('?') ? '&' : '?'}access_token=${token}`;
      expectError(await service().client.request(method, url, sent), 401, MISSING);
    }
    const json = { name: 'N', access_token: token };
    expectError(await service().client.request('PUT', '/operator/v1/merchants/x', { json }), 401, MISSING);
    expectError(
      await service().operator('GET', `/merchants?access_token=${token}`, token),
      400,
      /access_token/,
    );
  });

  it('403: without the scope of the call, which the message names', async () => {
    for (const { method, path, scope, sent } of operatorEndpoints) {
      const others = operatorScopes.filter((each) => !hasScope([each], scope));
      const wider = widerScope(scope);
      const named = wider === undefined ? scope : `${wider} or ${scope}`;
      const response = await service().operator(method, path, await service().newOperatorToken(others), sent);
      expectError(response, 403, new RegExp(`does not have the scope ${named}:`));
    }
  });

  it('a key expires, rotates and is revoked; its token is not stored; each change is in the audit log', async () => {
    const { now, database } = service();
    const key = { name: 'nightly', scopes: ['merchants'], expiresAt: now() + DAY_MS } as const;
    const { id, token: first } = await createOperatorKey(service(), key);
    assert.match(id, /^op-\d+$/);
    assert.match(first, /^tpo_[0-9A-Za-z]{38}$/);
    assert.equal((await list(first)).status, 200);
    const second = await rotateKey(service(), id, now() + 1000);
    assert.deepEqual([(await list(first)).status, (await list(second)).status], [200, 200]);
    service().passTime(1000);
    assert.deepEqual([(await list(first)).status, (await list(second)).status], [401, 200]);
    const third = await rotateKey(service(), id, null);
    assert.deepEqual([(await list(second)).status, (await list(third)).status], [401, 200]);
    const hashes = (await database.all(listHashes)).map(({ token_hash }) =>
      Buffer.from(token_hash).toString(),
    );
    for (const each of [first, second, third]) assert.ok(!hashes.some((hash) => hash.includes(each)));
    await revokeKey(service(), id);
    expectError(await list(third), 401, REFUSED);
    const listed = (await listOperatorKeys(service())).find((one) => one.id === id);
    assert.equal(listed?.state, 'revoked');
    assert.deepEqual(listed?.scopes, ['merchants']);
    const actions = (await listOperatorAudit(database, { limit: 1_000 })).entries.filter(
      ({ subject }) => subject === `${id} nightly`,
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['key.revoked', 'key.rotated', 'key.rotated', 'key.created'],
    );
  });

  it('an operator key expires', async () => {
    const { now } = service();
    const key = { name: 'short', scopes: ['merchants'], expiresAt: now() + DAY_MS } as const;
    const { token: expiring } = await createOperatorKey(service(), key);
    service().passTime(DAY_MS);
    expectError(await list(expiring), 401, REFUSED);
  });

  it('only the operator’s own keys are rotated and revoked for the operator', async () => {
    const merchant = await service().newMerchant();
    const operator = { merchantId: OPERATOR_ID, who: OPERATOR };
    for (const id of [merchant.keyId, 'op-t1', 'op-999']) {
      const missing = { code: 'key_not_found' };
      await assert.rejects(runVerb(service(), operator, rotate, { id, oldTokenUntil: null }), missing);
      await assert.rejects(runVerb(service(), operator, revoke, { id }), missing);
    }
    assert.equal((await service().get('/products.json', merchant)).status, 200);
  });
});
