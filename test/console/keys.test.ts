import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KeySummary } from '../../src/api-keys/list-keys.ts';
import { updateLastClient } from '../../src/api-keys/queries.ts';
import type { Overview } from '../../src/console/catalog-api.ts';
import type { ConsoleError, KeyList, NewToken } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import { auditLogOf } from '../support/audit.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { rotateKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const MINUTE_MS = 60_000;

const countTokens = statement<{ merchantId: number; keyId: number }, { tokens: number }>(
  'SELECT count(*) AS tokens FROM key_tokens WHERE merchant_id = :merchantId AND key_id = :keyId',
);

forEachEngine((engine) => {
  const service = useService(engine);

  async function ready(): Promise<{ merchant: TestMerchant; client: ConsoleClient }> {
    const merchant = await service().newMerchant();
    return { merchant, client: await signedIn(service(), merchant) };
  }
  const inMinutes = (minutes: number): string => formatTime(service().now() + minutes * MINUTE_MS);
  const statusOf = async (token: string): Promise<number> =>
    (await service().get('/products.json', { token })).status;
  const createKey = async (
    client: ConsoleClient,
    name: string,
    expiresAt: string | null,
  ): Promise<NewToken> => {
    const response = await client.post('/keys', { name, expires_at: expiresAt });
    assert.equal(response.status, 200, response.text);
    return response.json<NewToken>();
  };
  const find = async (client: ConsoleClient, id: string): Promise<KeySummary | undefined> =>
    (await client.get('/keys')).json<KeyList>().keys.find((key) => key.id === id);

  it('creates a key that works until it expires, and lists it', async () => {
    const { client } = await ready();
    const { id, access_token: token } = await createKey(client, 'ERP', inMinutes(2));
    assert.equal(await statusOf(token), 200);
    const { keys } = (await client.get('/keys')).json<KeyList>();
    assert.deepEqual(
      keys.map(({ name, state }) => [name, state]),
      [
        ['ERP', 'active'],
        ['default', 'active'],
      ],
    );
    const key = await find(client, id);
    assert.equal(key?.expires_at, inMinutes(2));
    assert.equal(key?.token, `${token.slice(0, 6)}…${token.slice(-4)}`);
    service().passTime(2 * MINUTE_MS);
    assert.equal(await statusOf(token), 401);
    assert.equal((await find(client, id))?.state, 'expired');
  });

  it('creates a key for the fields of the original API', async () => {
    const { client } = await ready();
    for (const fields of ['original', 'standard', undefined]) {
      const response = await client.post('/keys', { name: 'Old ERP', fields });
      const { id, access_token: token } = response.json<NewToken>();
      assert.equal((await find(client, id))?.fields, fields ?? 'standard');
      const account = (await service().get('/account', { token })).json<{ key: { fields: string } }>();
      assert.equal(account.key.fields, fields ?? 'standard');
    }
    assert.equal((await client.post('/keys', { name: 'Old ERP', fields: 'all' })).status, 400);
  });

  it('names each invalid field and the reason', async () => {
    const { client } = await ready();
    const response = await client.post('/keys', {
      name: 'x'.repeat(101),
      expires_at: '2020-01-01T00:00:00Z',
    });
    assert.equal(response.status, 400);
    const { fields = [] } = response.json<ConsoleError>();
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['name', 'expires_at'],
    );
    assert.match(fields[0]?.reason ?? '', /^expected text of 1 to 100 characters/);
    assert.match(fields[1]?.reason ?? '', /^expected an RFC 3339 time in the future/);
    const blank = (await client.post('/keys', { name: ' ', expires_at: null })).json<ConsoleError>();
    assert.equal(blank.message, 'name: missing, expected text of 1 to 100 characters.');
  });

  it('rotates a key: the old token works until the requested time, and the new one from now on', async () => {
    const { client } = await ready();
    const first = await createKey(client, 'ERP', inMinutes(10));
    const response = await client.post(`/keys/${first.id}/rotate`, { old_token_until: inMinutes(1) });
    assert.equal(response.status, 200, response.text);
    const second = response.json<NewToken>();
    assert.equal(second.id, first.id);
    assert.deepEqual([await statusOf(first.access_token), await statusOf(second.access_token)], [200, 200]);
    const key = await find(client, first.id);
    assert.equal(key?.token, `${second.access_token.slice(0, 6)}…${second.access_token.slice(-4)}`);
    assert.deepEqual([key?.state, key?.expires_at, key?.revoked_at], ['active', inMinutes(10), null]);
    assert.equal(key?.old_token_expires_at, inMinutes(1));
    service().passTime(MINUTE_MS);
    assert.equal((await find(client, first.id))?.old_token_expires_at, null);
    assert.deepEqual([await statusOf(first.access_token), await statusOf(second.access_token)], [401, 200]);
    service().passTime(9 * MINUTE_MS);
    assert.equal(await statusOf(second.access_token), 401);
  });

  it('never extends an old token past its own expiration, and expires it immediately if no time is given', async () => {
    const { client } = await ready();
    const first = await createKey(client, 'ERP', inMinutes(1));
    const second = (
      await client.post(`/keys/${first.id}/rotate`, { old_token_until: inMinutes(5) })
    ).json<NewToken>();
    const third = (await client.post(`/keys/${first.id}/rotate`, { old_token_until: null })).json<NewToken>();
    const statuses = (): Promise<number[]> =>
      Promise.all([first, second, third].map(({ access_token }) => statusOf(access_token)));
    assert.deepEqual(await statuses(), [401, 401, 200]);
    const fourth = (
      await client.post(`/keys/${first.id}/rotate`, { old_token_until: inMinutes(5) })
    ).json<NewToken>();
    assert.equal((await find(client, first.id))?.old_token_expires_at, null, 'it expires with the key');
    service().passTime(MINUTE_MS);
    assert.equal(await statusOf(third.access_token), 401);
    assert.equal(await statusOf(fourth.access_token), 401);
  });

  it('revokes all tokens of a key at once, and rejects the rotation of a revoked key', async () => {
    const { client } = await ready();
    const first = await createKey(client, 'ERP', null);
    const second = (
      await client.post(`/keys/${first.id}/rotate`, { old_token_until: inMinutes(5) })
    ).json<NewToken>();
    assert.equal((await find(client, first.id))?.old_token_expires_at, inMinutes(5));
    const response = await client.post(`/keys/${first.id}/revoke`);
    assert.equal(response.json<KeySummary>().state, 'revoked');
    assert.equal(response.json<KeySummary>().old_token_expires_at, null);
    assert.deepEqual([await statusOf(first.access_token), await statusOf(second.access_token)], [401, 401]);
    const rotated = await client.post(`/keys/${first.id}/rotate`, { old_token_until: null });
    assert.deepEqual(
      [rotated.status, rotated.message],
      [409, `Key ${first.id} is revoked: create a new one.`],
    );
    const again = await client.post(`/keys/${first.id}/revoke`);
    assert.equal(again.json<KeySummary>().revoked_at, response.json<KeySummary>().revoked_at);
  });

  it('rotates neither an expired key nor one that does not exist', async () => {
    const { client } = await ready();
    const { id } = await createKey(client, 'ERP', inMinutes(1));
    service().passTime(MINUTE_MS);
    const expired = await client.post(`/keys/${id}/rotate`, { old_token_until: null });
    assert.deepEqual([expired.status, expired.message], [409, `Key ${id} has expired: create a new one.`]);
    const [merchant] = id.split('-');
    const unknown = await client.post(`/keys/${merchant}-99/rotate`, { old_token_until: null });
    assert.equal(unknown.status, 404);
  });

  it('leaves no valid token after two rotations and a revocation at the same time', async () => {
    const { client } = await ready();
    const { id, access_token: token } = await createKey(client, 'ERP', null);
    const responses = await Promise.all([
      client.post(`/keys/${id}/rotate`, { old_token_until: inMinutes(1) }),
      client.post(`/keys/${id}/revoke`),
      client.post(`/keys/${id}/rotate`, { old_token_until: inMinutes(1) }),
    ]);
    assert.equal((await find(client, id))?.state, 'revoked');
    const created = responses.filter(({ status, text }) => status === 200 && text.includes('access_token'));
    for (const { access_token } of created.map((response) => response.json<NewToken>())) {
      assert.equal(await statusOf(access_token), 401);
    }
    assert.equal(await statusOf(token), 401);
  });

  it('lists keys in pages, newest first', async () => {
    const { client } = await ready();
    for (const name of ['A', 'B', 'C', 'D']) await createKey(client, name, null);
    const names: string[][] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: KeyList = (
        await client.get(`/keys?limit=2${next === '' ? '' : `&before=${next}`}`)
      ).json<KeyList>();
      names.push(page.keys.map(({ name }) => name));
      next = page.next;
    }
    assert.deepEqual(names, [['D', 'C'], ['B', 'A'], ['default']]);
    assert.equal((await client.get('/keys?before=999999-1')).status, 404);
    assert.equal((await client.get('/keys?limit=201')).status, 400);
  });

  it('creates, lists, rotates and revokes test keys, after the live ones', async () => {
    const { client } = await ready();
    const fields = { name: 'Trial', mode: 'test', expires_at: null };
    const { id, access_token: first } = (await client.post('/keys', fields)).json<NewToken>();
    assert.match(first, /^tpt_/);
    await createKey(client, 'ERP', null);
    const listed: KeySummary[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: KeyList = (
        await client.get(`/keys?limit=1${next === '' ? '' : `&before=${next}`}`)
      ).json<KeyList>();
      listed.push(...page.keys);
      next = page.next;
    }
    assert.deepEqual(
      listed.map(({ name, mode }) => [name, mode]),
      [
        ['ERP', 'live'],
        ['default', 'live'],
        ['Trial', 'test'],
      ],
    );
    const rotated = await client.post(`/keys/${id}/rotate`, { old_token_until: null });
    const { access_token: second } = rotated.json<NewToken>();
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200]);
    assert.match(second, /^tpt_/);
    assert.equal((await client.post(`/keys/${id}/revoke`)).status, 200);
    assert.equal(await statusOf(second), 401);
    const { client: other } = await ready();
    assert.equal((await other.post(`/keys/${id}/revoke`)).status, 404);
    const entries = await auditLogOf(service(), client);
    assert.deepEqual(
      entries.slice(0, 2).map(({ action, subject }) => [action, subject]),
      [
        ['key.revoked', `${id} Trial`],
        ['key.rotated', `${id} Trial`],
      ],
    );
  });

  it('shows the number of active keys and the last use of any key in the overview', async () => {
    const { merchant, client } = await ready();
    const { id } = await createKey(client, 'ERP', null);
    await createKey(client, 'Short', inMinutes(1));
    const { access_token: token } = await createKey(client, 'Twice', inMinutes(9));
    await client.post(`/keys/${id}/revoke`);
    const [, number] = id.split('-');
    const usedAt = service().now() - MINUTE_MS;
    await service().database.transaction((connection) =>
      connection.run(updateLastClient, {
        merchantId: merchant.id,
        id: Number(number),
        usedAt,
        erpName: null,
        userAgent: null,
      }),
    );
    const keys = async (): Promise<Overview['keys']> => (await client.get('/overview')).json<Overview>().keys;
    assert.deepEqual(await keys(), { active: 3, last_used_at: formatTime(usedAt), token_shown: true });
    service().passTime(MINUTE_MS);
    assert.equal((await keys()).active, 2);
    assert.equal(await statusOf(token), 200);
  });

  it('bounds the tokens of a key: those that expired 30 days ago are deleted, and at most ten are valid', async () => {
    const { merchant, client } = await ready();
    const { id } = await createKey(client, 'ERP', null);
    const rotate = (until: string | null) => client.post(`/keys/${id}/rotate`, { old_token_until: until });
    const tokens = async (): Promise<number | undefined> =>
      (
        await service().database.first(countTokens, {
          merchantId: merchant.id,
          keyId: Number(id.split('-')[1]),
        })
      )?.tokens;
    for (let time = 0; time < 9; time += 1) assert.equal((await rotate(inMinutes(60))).status, 200);
    assert.equal(await tokens(), 10);
    const rejected = await rotate(inMinutes(60));
    assert.deepEqual(
      [rejected.status, rejected.message],
      [409, `Key ${id} already has 10 valid tokens: let the old token expire immediately.`],
    );
    for (let time = 0; time < 3; time += 1) assert.equal((await rotate(null)).status, 200);
    assert.equal(await tokens(), 13);
    const { database } = service();
    const later = service().now() + 31 * 24 * 60 * MINUTE_MS;
    await rotateKey({ database, now: () => later }, id, null);
    assert.equal(await tokens(), 2);
  });

  it('records who created, rotated and revoked a key, but no token', async () => {
    const { client } = await ready();
    const { id, access_token: token } = await createKey(client, 'ERP', null);
    await client.post(`/keys/${id}/rotate`, { old_token_until: null });
    await client.post(`/keys/${id}/revoke`);
    const entries = await auditLogOf(service(), client);
    assert.deepEqual(
      entries.slice(0, 3).map(({ action, subject }) => [action, subject]),
      [
        ['key.revoked', `${id} ERP`],
        ['key.rotated', `${id} ERP`],
        ['key.created', `${id} ERP`],
      ],
    );
    assert.match(entries[0]?.who ?? '', /^User \d+ <user\d+@example\.com>$/);
    assert.ok(!JSON.stringify(entries).includes(token));
  });
});
