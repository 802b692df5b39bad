import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const SESSION = '__Host-tradepost.session_token';

const setBeginning = statement<{ userId: string; time: number }, never>(
  'UPDATE user_sessions SET created_at = :time WHERE user_id = :userId',
);
const setExpiry = statement<{ userId: string; time: number }, never>(
  'UPDATE user_sessions SET expires_at = :time WHERE user_id = :userId',
);

async function countHashes<T>(work: () => Promise<T>): Promise<{ result: T; hashes: number }> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') hashes += 1;
    },
  });
  hook.enable();
  const result = await work();
  hook.disable();
  return { result, hashes };
}

forEachEngine((engine) => {
  describe('sign-in to the console', () => {
    const service = useService(engine);
    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    // Keeps the sign-ins of all tests together below the limit of attempts.
    beforeEach(() => service().passTime(61_000));

    it('opens a session that names the user and the merchant', async () => {
      const merchant = await service().newMerchant('Europe/Vienna');
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      assert.equal((await client.get('/session')).status, 401);
      const response = await client.post('/auth/sign-in/email', {
        email: email.toUpperCase(),
        password: PASSWORD,
      });
      assert.equal(response.status, 200, response.text);
      const session = (await client.get('/session')).json<ConsoleSession>();
      assert.deepEqual(session.user.email, email);
      assert.equal(session.user.two_factor, false);
      assert.equal(session.merchant.id, merchant.id);
      assert.equal(session.merchant.time_zone, 'Europe/Vienna');
      assert.equal(session.api_url, service().baseUrl);
      const { dataDirectory } = service().config;
      assert.equal(session.certificate, await readFile(join(dataDirectory, 'tls-cert.pem'), 'utf8'));
    });

    it('sets a cookie that scripts, other hosts and plain HTTP never get, and returns no token in the body', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const client = newClient();
      const response = await client.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.deepEqual(response.json(), { status: true });
      const [cookie = '', ...others] = response.headers['set-cookie'] ?? [];
      assert.deepEqual(others, []);
      const [pair = '', ...attributes] = cookie.split('; ');
      assert.ok(pair.startsWith(`${SESSION}=`));
      assert.deepEqual(attributes.toSorted(), [
        'HttpOnly',
        'Max-Age=43200',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
      assert.equal(response.header('cache-control'), 'no-store');
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    });

    it('does not reveal whether an email has an account, neither by its response nor by the work it does', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const signIn = async (address: string) => {
        const credentials = { email: address, password: 'not the password' };
        const { result: response, hashes } = await countHashes(() =>
          newClient().post('/auth/sign-in/email', credentials),
        );
        const { date: _, 'x-request-id': __, ...headers } = response.headers;
        return { status: response.status, text: response.text, headers, hashes };
      };
      const [known, unknown] = [await signIn(email), await signIn('nobody@example.com')];
      assert.deepEqual(known, unknown);
      // Hashing takes nearly all of the time.
      assert.deepEqual([known.status, known.hashes], [401, 1]);
    });

    it('never reuses an existing session', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      client.cookies.set(SESSION, 'planted.signature');
      await client.signIn(email);
      const first = client.cookies.get(SESSION);
      assert.notEqual(first, 'planted.signature');
      await client.signIn(email);
      assert.notEqual(client.cookies.get(SESSION), first);
    });

    it('ends only the session that it replaces', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const [before, client, other] = [newClient(), newClient(), newClient()];
      await client.signIn(email);
      await other.signIn(email);
      before.cookies.set(SESSION, client.cookies.get(SESSION) ?? '');
      const wrong = await client.post('/auth/sign-in/email', { email, password: 'not the password' });
      assert.equal(wrong.status, 401);
      assert.equal((await before.get('/session')).status, 200);
      await client.signIn(email);
      assert.equal((await before.get('/session')).status, 401);
      assert.equal((await client.get('/session')).status, 200);
      assert.equal((await other.get('/session')).status, 200);
    });

    it('rejects a modified session cookie', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      const cookie = client.cookies.get(SESSION) ?? '';
      for (const changed of [
        cookie.replace('.', 'x.'),
        cookie.split('.')[0] ?? '',
        `${cookie.slice(0, -8)}AAAA%3D`,
      ]) {
        client.cookies.set(SESSION, changed);
        assert.equal((await client.get('/session')).status, 401, changed);
      }
    });

    it('ends the session at sign-out, also on the server', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      const cookie = client.cookies.get(SESSION) ?? '';
      assert.equal((await client.post('/auth/sign-out')).status, 200);
      assert.equal(client.cookies.has(SESSION), false);
      client.cookies.set(SESSION, cookie);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('ends all sessions of the user, but not of other users, at sign-out everywhere', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const [here, there] = [newClient(), newClient()];
      await here.signIn(email);
      await there.signIn(email);
      const colleague = await signedIn(service(), merchant);
      assert.equal((await here.post('/auth/revoke-sessions')).status, 200);
      assert.equal((await here.get('/session')).status, 401);
      assert.equal((await there.get('/session')).status, 401);
      assert.equal((await colleague.get('/session')).status, 200);
      const entries = await auditLogOf(service(), colleague);
      assert.equal(entries[0]?.action, 'user.session_ended');
    });

    it('renews a session that is used, and ends one that is idle for too long', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      const { user } = (await client.get('/session')).json<ConsoleSession>();
      const expireAt = (time: number) =>
        service().database.transaction((connection) => connection.run(setExpiry, { time, userId: user.id }));
      await expireAt(Date.now() + 60 * 60 * 1000);
      const renewed = await client.get('/session');
      assert.equal(renewed.status, 200);
      assert.match(renewed.header('set-cookie'), /session_token=.*Max-Age=43200/);
      await expireAt(Date.now() - 1);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('ends a session 30 days after the sign-in, even if it is used', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      const { user } = (await client.get('/session')).json<ConsoleSession>();
      const beginAt = (time: number) =>
        service().database.transaction((connection) =>
          connection.run(setBeginning, { time, userId: user.id }),
        );
      const days = 24 * 60 * 60 * 1000;
      await beginAt(service().now() - 29 * days);
      assert.equal((await client.get('/session')).status, 200);
      await beginAt(service().now() - 31 * days);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('rejects tokens of sessions as tokens of the API, and API tokens in the console', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const value = decodeURIComponent(client.cookies.get(SESSION) ?? '').split('.')[0] ?? '';
      assert.equal((await service().get('/products.json', { token: value })).status, 401);
      const stranger = newClient();
      assert.equal((await stranger.get(`/session?access_token=${merchant.token}`)).status, 401);
      const authorization = `Bearer ${merchant.token}`;
      assert.equal((await stranger.request('GET', '/session', { headers: { authorization } })).status, 401);
      stranger.cookies.set(SESSION, merchant.token);
      assert.equal((await stranger.get('/session')).status, 401);
    });

    it('shows a user only the user’s own merchant', async () => {
      const [one, other] = [await service().newMerchant(), await service().newMerchant()];
      const [client, stranger] = [await signedIn(service(), one), await signedIn(service(), other)];
      for (const [at, merchant] of [
        [client, one],
        [stranger, other],
      ] as const) {
        assert.equal((await at.get('/session')).json<ConsoleSession>().merchant.id, merchant.id);
        const entries = await auditLogOf(service(), at);
        assert.deepEqual(
          entries.map(({ action, subject }) => [action, subject]),
          [
            ['user.signed_in', 'by password'],
            ['key.created', `${merchant.keyId} default`],
          ],
        );
      }
    });

    it('400: values that are not text; other fields of the body are ignored', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const rejected = [
        {},
        { email },
        { email: [email], password: PASSWORD },
        { email, password: { $ne: '' } },
        { email: `${email}\0`, password: PASSWORD },
      ];
      for (const body of rejected) {
        const response = await newClient().post('/auth/sign-in/email', body);
        assert.equal(response.status, 400, response.text);
        assert.equal(typeof response.message, 'string');
      }
      for (const body of ['{', '[]', '"text"', 'null']) {
        const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
        const response = await newClient().request('POST', '/auth/sign-in/email', { body, headers });
        assert.equal(response.status, 400, body);
      }
      const more = { email, password: PASSWORD, rememberMe: false, callbackURL: 'https://elsewhere.example' };
      const response = await newClient().post('/auth/sign-in/email', more);
      assert.equal(response.status, 200);
      assert.equal(response.headers.location, undefined);
    });

    it('404: endpoints of the library that the console does not need', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      for (const path of [
        '/sign-up/email',
        '/update-user',
        '/update-session',
        '/delete-user',
        '/change-email',
        '/list-sessions',
        '/sign-in/social',
        '/request-password-reset',
        '/two-factor/send-otp',
        '/sign-in/email/',
        '//sign-in/email',
      ]) {
        const response = await client.post(`/auth${path}`, {
          email: 'a@example.com',
          name: 'x',
          merchantId: 1,
        });
        assert.equal(response.status, 404, path);
      }
      assert.equal((await client.get('/auth/get-session')).status, 404);
    });

    it('writes no password, cookie or email to the log, and no token to the database', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const { user } = (await client.get('/session')).json<ConsoleSession>();
      await client.post('/auth/sign-in/email', { email: user.email, password: 'Wrong Password 7' });
      await client.post('/auth/change-password', { currentPassword: 'Wrong Password 7', newPassword: 'x' });
      const token = decodeURIComponent(client.cookies.get(SESSION) ?? '').split('.')[0] ?? '';
      assert.ok(token.length >= 32);
      const log = service().log.join('\n');
      const ofUsers = ['sessions', 'accounts', 'verifications'].map((name) => `user_${name}`);
      const tables = ['console_users', ...ofUsers, 'attempt_counts'];
      const rows = await Promise.all(
        tables.map((table) => service().database.all(statement<unknown, unknown>(`SELECT * FROM ${table}`))),
      );
      for (const secret of [PASSWORD, 'Wrong Password 7', token]) {
        assert.equal(log.includes(secret), false);
        assert.equal(JSON.stringify(rows).includes(secret), false);
      }
      assert.equal(log.includes(user.email), false);
    });
  });
});
