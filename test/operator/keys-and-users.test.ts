import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { defaultScopes } from '../../src/api-keys/scopes.ts';
import { listAudit } from '../../src/audit/list-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import type {
  CreatedMerchantKey,
  ListedMerchantKey,
  MerchantKey,
} from '../../src/operator/keys/key-schema.ts';
import type { Invited } from '../../src/operator/users/user-schema.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { UserSummary } from '../../src/users/list-users.ts';
import { whoOf } from '../support/audit.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const listStored = statement<{ merchantId: number }, { response: string }>(
  'SELECT response FROM idempotency_keys WHERE merchant_id = :merchantId',
);

forEachEngine((engine) => {
  const service = useService(engine, {
    environment: { PUBLIC_URL: 'https://shop.example', BUDGETS: 'users=2' },
  });
  let token: string;
  let merchant: TestMerchant;
  before(async () => {
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
  });

  const send = (
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ClientResponse> =>
    service().operator(method, `/merchants/${path}`, token, { headers, ...(json !== undefined && { json }) });
  const statusOf = async (each: string, path = '/products.json'): Promise<number> =>
    (await service().get(path, { token: each })).status;

  describe('GET /merchants/{external_id}/keys', () => {
    it('lists live keys, then test keys, newest first and without tokens, however large the pages are', async () => {
      const owner = await service().newMerchant();
      const [second, test] = [await service().newKey(owner), await service().newTestKey(owner)];
      const response = await send('GET', `${owner.id}/keys`);
      const { results, next } = response.json<{ results: ListedMerchantKey[]; next: null }>();
      assert.equal(next, null);
      assert.deepEqual(
        results.map(({ id, mode }) => [id, mode]),
        [
          [second.id, 'live'],
          [owner.keyId, 'live'],
          [test.id, 'test'],
        ],
      );
      for (const each of [owner.token, second.token, test.token]) assert.ok(!response.text.includes(each));
      const page = (await send('GET', `${owner.id}/keys?limit=2`)).json<{ next: string }>();
      const rest = await send('GET', `${owner.id}/keys?after=${page.next}`);
      assert.deepEqual(rest.json<{ results: unknown[] }>().results, results.slice(2));
      expectError(
        await send('GET', `${merchant.id}/keys?after=${page.next}`),
        400,
        /^after: a cursor of another list/,
      );
    });
  });

  describe('GET /merchants/{external_id}/users', () => {
    it('lists the users of the merchant alone, with open invitations', async () => {
      const [owner, other] = [await service().newMerchant(), await service().newMerchant()];
      for (const [{ id }, email] of [
        [owner, 'zoe@list.example'],
        [owner, 'ann@list.example'],
        [other, 'bob@list.example'],
      ] as const)
        assert.equal((await send('POST', `${id}/users`, { email })).status, 201);
      const { results } = (await send('GET', `${owner.id}/users`)).json<{ results: UserSummary[] }>();
      assert.deepEqual(
        results.map(({ email, role, password, last_sign_in_at }) => [email, role, password, last_sign_in_at]),
        [
          ['ann@list.example', 'owner', false, null],
          ['zoe@list.example', 'owner', false, null],
        ],
      );
    });
  });

  describe('POST /merchants/{external_id}/keys', () => {
    it('creates a key with a name, scopes and a lifetime, and returns its token once', async () => {
      const sent = { name: 'ERP', scopes: ['write', 'read'], expires_in: '1d' };
      const response = await send('POST', `${merchant.id}/keys`, sent);
      assert.equal(response.status, 201);
      const { access_token, id, created_at, ...rest } = response.json<CreatedMerchantKey>();
      assert.match(id, new RegExp(`^${merchant.id}-\\d+$`));
      assert.deepEqual(rest, {
        name: 'ERP',
        state: 'active',
        mode: 'live',
        scopes: ['read', 'write'],
        expires_at: formatTime(service().now() + DAY_MS),
        fields: 'standard',
      });
      assert.equal(await statusOf(access_token), 200);
      assert.equal((await service().request('POST', `/campaigns?access_token=${access_token}`)).status, 401);
      const entries = await listAudit(service().database, merchant.id, { limit: 1 });
      assert.deepEqual(
        entries.map(({ action, subject, ...by }) => [whoOf(by), action, subject]),
        [['operator', 'key.created', `${id} ERP`]],
      );
    });

    it('creates a key with the scopes that have to be chosen', async () => {
      const sent = { name: 'register', scopes: ['webhooks', 'customers', 'stock'] };
      const { scopes, access_token } = (
        await send('POST', `${merchant.id}/keys`, sent)
      ).json<CreatedMerchantKey>();
      assert.deepEqual(scopes, ['stock', 'customers', 'webhooks']);
      assert.equal(await statusOf(access_token), 401);
    });

    it('creates a key that expires when its lifetime has passed', async () => {
      const response = await send('POST', `${merchant.id}/keys`, { name: 'short', expires_in: '30m' });
      const { access_token } = response.json<CreatedMerchantKey>();
      assert.equal(await statusOf(access_token), 200);
      service().passTime(30 * 60 * 1000);
      assert.equal(await statusOf(access_token), 401);
    });

    it('has the usual scopes and does not expire by default, and uses test data with the mode test', async () => {
      const response = await send('POST', `${merchant.id}/keys`, { name: 'tests', mode: 'test' });
      const key = response.json<CreatedMerchantKey>();
      assert.match(key.access_token, /^tpt_/);
      assert.deepEqual([key.scopes, key.expires_at], [defaultScopes, null]);
      assert.equal((await service().get('/account', { token: key.access_token })).status, 200);
    });

    it('creates one key if the request is repeated with its Idempotency-Key, and stores no readable token', async () => {
      const headers = { 'idempotency-key': 'new-key' };
      const first = await send('POST', `${merchant.id}/keys`, { name: 'once' }, headers);
      const again = await send('POST', `${merchant.id}/keys`, { name: 'once' }, headers);
      assert.deepEqual([again.status, again.json()], [201, first.json()]);
      const rows = await service().database.all(listStored, { merchantId: OPERATOR_ID });
      assert.ok(rows.length > 0);
      for (const { response } of rows) {
        assert.doesNotMatch(Buffer.from(response, 'base64url').toString('latin1'), /tp_|once/);
        assert.ok(!response.includes(first.json<CreatedMerchantKey>().access_token));
      }
      const other = await send('POST', `${merchant.id}/keys`, { name: 'other' }, headers);
      expectError(other, 400, /^Idempotency-Key: this key was used/);
      const stranger = await service().operator(
        'POST',
        `/merchants/${merchant.id}/keys`,
        await service().newOperatorToken(),
        { json: { name: 'once' }, headers },
      );
      expectError(stranger, 400, /^Idempotency-Key: this key was used/);
    });

    it('400: names the parameter that is invalid', async () => {
      for (const [json, pattern] of [
        [{}, /^name: missing/],
        [
          { name: 'N', scopes: [] },
          /^scopes: expected a list of one or more of read, write, stock, .*, customers, webhooks\.$/,
        ],
        [{ name: 'N', scopes: ['events'] }, /^scopes: expected a list/],
        [{ name: 'N', scopes: 'read' }, /^scopes: expected a list/],
        [{ name: 'N', scopes: { read: true } }, /^scopes: expected a list/],
        [{ name: 'N', expires_in: '90' }, /^expires_in: expected a number followed by s, m, h or d/],
        [{ name: ['N'] }, /^name: expected text .* not a list or an object\.$/],
        [{ name: 'N', mode: 'live ' }, /^mode: expected one of live, test/],
        [{ name: 'N', token: 'tp_x' }, unrecognized('token')],
      ] as const) {
        expectError(await send('POST', `${merchant.id}/keys`, json), 400, pattern);
      }
      expectError(await send('POST', 'nobody/keys', { name: 'N' }), 404, /^There is no merchant/);
    });
  });

  describe('DELETE /merchants/{external_id}/keys/{key}', () => {
    it('revokes a key, live or test, from the next request on; repeating it changes nothing', async () => {
      const keys = [await service().newKey(merchant), await service().newTestKey(merchant)];
      for (const { id, token: keyToken } of keys) {
        assert.equal(await statusOf(keyToken), 200);
        for (let times = 0; times < 2; times += 1) {
          const response = await send('DELETE', `${merchant.id}/keys/${id}`);
          assert.equal(response.status, 200);
          assert.equal(response.json<MerchantKey>().state, 'revoked');
          assert.equal(await statusOf(keyToken), 401);
        }
      }
    });

    it('404: for another merchant’s key, an operator key and any other text', async () => {
      const other = await service().newMerchant();
      for (const id of [other.keyId, 'op-1', 'x', `${merchant.id}-999`]) {
        const response = await send('DELETE', `${merchant.id}/keys/${id}`);
        expectError(response, 404, new RegExp(`^The merchant has no key ${id}\\.$`));
      }
      assert.equal(await statusOf(other.token), 200);
      assert.equal((await service().operator('GET', '/merchants', token)).status, 200);
    });
  });

  describe('POST and DELETE /merchants/{external_id}/users', () => {
    it('invites a user with a new link each time, and removes the user', async () => {
      const response = await send('POST', `${merchant.id}/users`, { email: 'Ada@Example.com', name: 'Ada' });
      assert.equal(response.status, 201);
      const { set_password_url: url, ...rest } = response.json<Invited>();
      const expires_at = formatTime(service().now() + 3 * DAY_MS);
      assert.deepEqual(rest, {
        ...{ email: 'ada@example.com', role: 'owner', new_user: true },
        ...{ mailed: false, expires_at },
      });
      assert.ok(url.startsWith('https://shop.example/console/set-password#token='));
      const again = await send('POST', `${merchant.id}/users`, { email: 'ada@example.com' });
      assert.equal(again.json<Invited>().new_user, false);
      assert.notEqual(again.json<Invited>().set_password_url, url);
      const removed = await send('DELETE', `${merchant.id}/users/Ada%40example.com`);
      assert.deepEqual([removed.status, removed.json()], [200, { removed: 'ada@example.com' }]);
      expectError(
        await send('DELETE', `${merchant.id}/users/ada@example.com`),
        404,
        /^The merchant has no user with the email ada@example\.com\.$/,
      );
      const entries = await listAudit(service().database, merchant.id, { limit: 3 });
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['user.removed', 'user.invited', 'user.invited'],
      );
    });

    it('gives a user a role, and keeps an owner as long as the merchant has users', async () => {
      const shop = await service().newMerchant();
      const invite = (email: string, role?: string) =>
        send('POST', `${shop.id}/users`, role === undefined ? { email } : { email, role });
      const remove = (email: string) => send('DELETE', `${shop.id}/users/${email}`);
      const [first, second] = ['first@example.com', 'second@example.com'];
      expectError(
        await invite(first, 'viewer'),
        400,
        /^role: The first user of a merchant must be an owner\.$/,
      );
      expectError(await invite(first, 'admin'), 400, /^role: expected one of viewer, editor, owner/);
      assert.equal((await invite(first)).json<Invited>().role, 'owner');
      assert.equal((await invite(second, 'viewer')).json<Invited>().role, 'viewer');
      assert.equal((await invite(second)).json<Invited>().role, 'viewer');
      expectError(await invite(first, 'editor'), 400, /^role: first@example\.com is the only owner\./);
      expectError(await remove(first), 409, /^first@example\.com is the only owner\. Make another user/);
      assert.equal((await invite(second, 'owner')).json<Invited>().role, 'owner');
      const entries = await listAudit(service().database, shop.id, { limit: 2 });
      assert.deepEqual(entries.map(({ action, ...by }) => `${action} by ${whoOf(by)}`).sort(), [
        'user.invited by operator',
        'user.role_changed by operator',
      ]);
      assert.deepEqual([(await remove(first)).status, (await remove(second)).status], [200, 200]);
    });

    it('sends the same link again if the request is repeated with its Idempotency-Key', async () => {
      const owner = await service().newMerchant();
      const headers = { 'idempotency-key': 'invitation' };
      const invite = () => send('POST', `${owner.id}/users`, { email: 'bo@example.com' }, headers);
      const [first, again] = [await invite(), await invite()];
      assert.deepEqual([again.status, again.json()], [201, first.json()]);
    });

    it('refuses an invalid email and more users than the budget', async () => {
      const [owner, other] = [await service().newMerchant(), await service().newMerchant()];
      const invite = (email: string, { id }: { id: number } = owner) =>
        send('POST', `${id}/users`, { email });
      expectError(await invite('no'), 400, /^email: "no" is not an email address\.$/);
      assert.equal((await invite('one@example.com')).status, 201);
      expectError(await send('DELETE', `${other.id}/users/one@example.com`), 404, /has no user/);
      assert.equal((await invite('two@example.com')).status, 201);
      expectError(await invite('three@example.com'), 409, /^Budget users exceeded: at most 2/);
      expectError(await invite('one@example.com', { id: 999 }), 404, /^There is no merchant/);
    });
  });
});
