import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { limits, takeAttempt } from '../../src/console/attempts/limit-attempts.ts';
import type { ConsoleOptions, ConsoleSession, RegistrationLinkState } from '../../src/console/console-api.ts';
import type { Database } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { tokenOf } from '../support/links.ts';
import {
  assertEmailsRefused,
  linkIn,
  type MailParts,
  queuedMails,
  useMailService,
} from '../support/mail-service.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { StatementLog } from './statement-log.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GONE = 'This link has expired or was already used.';
const TAKEN = 'This shop name isn’t available. Choose another one.';
const form = { merchant_name: 'Acme', time_zone: 'Europe/Vienna', name: 'Ann', password: PASSWORD };
const environment = { SELF_REGISTRATION: 'on' };

const count = (table: string) =>
  statement<unknown, { rows: number }>(`SELECT CAST(count(*) AS integer) AS rows FROM ${table}`);
const stored = ['merchants', 'merchant_names', 'console_users', 'user_accounts', 'audit_entries'];
const listHashes = statement<unknown, { identifier_hash: string }>(
  'SELECT identifier_hash FROM user_verifications',
);
const listNames = statement<unknown, { name: string }>('SELECT name FROM merchants');

async function mailedToken({ server }: MailParts, email: string): Promise<string> {
  const mail = await server.mailTo(email, /^Confirm your email$/);
  server.received.splice(server.received.indexOf(mail), 1);
  const link = linkIn(mail);
  assert.equal(link.pathname, '/console/finish-registration');
  return tokenOf(link);
}

forEachEngine((engine) => {
  describe('registration with a mail server', () => {
    const log = new StatementLog();
    const wrap = (database: Database): Database => log.wrap(database);
    const parts = useMailService(engine, { environment, wrap });
    beforeEach(() => parts().service.passTime(61 * MINUTE_MS));
    const newClient = (): ConsoleClient => new ConsoleClient(parts().service.client);
    const requestLink = (email: unknown): Promise<ClientResponse> =>
      newClient().post('/registration-links', { email });
    const newToken = async (email: string): Promise<string> => {
      assert.equal((await requestLink(email)).status, 202);
      return await mailedToken(parts(), email);
    };
    const check = async (token: unknown): Promise<RegistrationLinkState> =>
      (await newClient().post('/registration-links/check', { token })).json<RegistrationLinkState>();
    const register = (body: object, client = newClient()): Promise<ClientResponse> =>
      client.post('/registration', { ...form, ...body });
    const counts = async (): Promise<number[]> => {
      const rows = await Promise.all(stored.map((table) => parts().service.database.first(count(table))));
      return rows.map((row) => row?.rows ?? 0);
    };
    const assertGone = (response: ClientResponse): void => {
      assert.equal(response.status, 400, response.text);
      assert.deepEqual(response.json(), { message: GONE, fields: [{ name: 'token', reason: GONE }] });
    };

    it('mails a link, creates nothing before its form is submitted, and then signs the user in', async () => {
      const options = (await newClient().get('/options')).json<ConsoleOptions>();
      assert.deepEqual(options, { self_registration: true, mail: true, single_sign_on: null });
      const feed = await FeedReader.open(parts().service);
      const before = await counts();
      assert.equal((await requestLink(' Ann@Example.com ')).status, 202);
      const token = await mailedToken(parts(), 'ann@example.com');
      // Scanners of mails open links, more than once.
      for (let opened = 0; opened < 2; opened += 1) {
        const page = await parts().service.client.request('GET', '/console/finish-registration');
        assert.equal(page.status, 200);
        assert.deepEqual(await check(token), { email: 'ann@example.com', has_account: false });
      }
      assert.deepEqual(await counts(), before);
      assert.deepEqual(await feed.read(), []);
      const hashes = await parts().service.database.all(listHashes);
      assert.ok(hashes.every(({ identifier_hash }) => !identifier_hash.includes(token)));

      const client = newClient();
      const response = await register({ token, email: 'other@example.com' }, client);
      assert.equal(response.status, 201, response.text);
      const { user, merchant } = (await client.get('/session')).json<ConsoleSession>();
      assert.deepEqual([user.email, user.name, user.role], ['ann@example.com', 'Ann', 'owner']);
      assert.deepEqual([merchant.name, merchant.time_zone], ['Acme', 'Europe/Vienna']);
      const events = await feed.read();
      assert.deepEqual(
        events.map(({ type, data }) => [type, data]),
        [['merchant.created', { name: 'Acme' }]],
      );
      await newClient().signIn('ann@example.com');
    });

    it('creates no account for an email that was not confirmed', async () => {
      const before = await counts();
      const response = await register({ email: 'bob@example.com' });
      assert.equal(response.status, 400);
      const reason = 'This link is incomplete. Open it again from the email.';
      assert.deepEqual(response.json(), { message: reason, fields: [{ name: 'token', reason }] });
      assert.deepEqual(await counts(), before);
    });

    it('has the same response, after the same work, whether or not the email has an account', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      const shapes = [];
      for (const address of ['unknown@example.com', email]) {
        log.watched = address;
        const { status, text, headers } = await requestLink(address);
        shapes.push({ status, text, names: Object.keys(headers).toSorted() });
        await server.mailTo(address);
        // Only sending the mail, later, looks for a user.
        const statements = log.statements.splice(0);
        assert.match(statements[0] ?? '', /^INSERT INTO mails/);
        assert.ok(statements.some((sql) => /FROM console_users/.test(sql)));
      }
      assert.equal(shapes[0]?.status, 202);
      assert.deepEqual(shapes[1], shapes[0]);
    });

    it('tells a user, by mail only, that there is an account already, with a link to sign in', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      const links = await service.database.all(listHashes);
      assert.equal((await requestLink(email)).status, 202);
      const mail = await server.mailTo(email);
      assert.equal(mail.headers.get('subject'), 'You already have an account');
      assert.equal(linkIn(mail).href, 'https://shop.example/console/sign-in');
      await until(async () => (await queuedMails(service)).length === 0);
      assert.equal(server.received.filter(({ to }) => to.includes(email)).length, 1);
      assert.deepEqual(await service.database.all(listHashes), links);
    });

    it('puts nothing into the mail that the sender of the request chose', async () => {
      const text = 'Win a prize at https://bad.example';
      const body = { email: 'target@example.com', merchant_name: text, name: text, time_zone: text };
      assert.equal((await newClient().post('/registration-links', body)).status, 202);
      const mail = await parts().server.mailTo('target@example.com');
      assert.ok(!JSON.stringify([mail.text, mail.html, [...mail.headers]]).includes('bad.example'));
    });

    it('has a link that works once, also for requests at the same time', async () => {
      const token = await newToken('once@example.com');
      const before = await counts();
      const names = ['One', 'Two', 'Three', 'Four'].map((name) => ({ merchant_name: `Once ${name}`, token }));
      const responses = await Promise.all(names.map((body) => register(body)));
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
      for (const response of responses.filter(({ status }) => status === 400)) assertGone(response);
      const after = await counts();
      assert.deepEqual(
        after.slice(0, 4),
        before.slice(0, 4).map((rows) => rows + 1),
      );
      assertGone(await register({ merchant_name: 'Once Five', token }));
      assert.deepEqual(await check(token), { email: null, has_account: false });
    });

    it('has a link that expires after an hour', async () => {
      const { service } = parts();
      const [late, inTime] = [await newToken('late@example.com'), await newToken('in.time@example.com')];
      service.passTime(59 * MINUTE_MS);
      assert.equal((await register({ merchant_name: 'In Time', token: inTime })).status, 201);
      service.passTime(2 * MINUTE_MS);
      assert.deepEqual(await check(late), { email: null, has_account: false });
      assertGone(await register({ merchant_name: 'Too Late', token: late }));
      await newToken('next@example.com');
      assert.equal((await service.database.all(listHashes)).length, 1);
    });

    it('refuses tokens that are changed, invented, or of another kind of link', async () => {
      const { server, service } = parts();
      const token = await newToken('whole@example.com');
      const { email } = await newUser(service, await service.newMerchant());
      await newClient().post('/password-links', { email });
      const other = tokenOf(linkIn(await server.mailTo(email)));
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
      for (const wrong of [changed, token.toUpperCase(), `${token} `, other, 'made-up', '%']) {
        service.passTime(61_000);
        assert.deepEqual(await check(wrong), { email: null, has_account: false });
        assertGone(await register({ merchant_name: 'Wrong', token: wrong }));
      }
      service.passTime(61_000);
      for (const wrong of ['\0', '\ud800', '', 7, null, undefined]) {
        assert.equal((await check(wrong)).email, null);
        assert.equal((await register({ merchant_name: 'Wrong', token: wrong })).status, 400);
      }
      service.passTime(61_000);
      const reset = { token, newPassword: PASSWORD };
      assert.equal((await newClient().post('/auth/reset-password', reset)).status, 400);
      assert.equal((await register({ merchant_name: 'Whole', token })).status, 201);
    });

    it('says that the email has an account by now, and changes neither', async () => {
      const email = 'twice@example.com';
      const first = await newToken(email);
      parts().service.passTime(20 * MINUTE_MS);
      const second = await newToken(email);
      assert.equal((await register({ merchant_name: 'First', token: second })).status, 201);
      assert.deepEqual(await check(first), { email, has_account: true });
      const before = await counts();
      const response = await register({ merchant_name: 'Second', token: first });
      const reason = 'twice@example.com already has an account.';
      assert.deepEqual(response.json(), { message: reason, fields: [{ name: 'email', reason }] });
      assert.deepEqual(await counts(), before);
    });

    it('says only on the page of the link that a name is taken, after which the link still works', async () => {
      const { service } = parts();
      const { status } = await service.operator('PUT', '/merchants/known', await service.newOperatorToken(), {
        json: { name: 'Fresh Shop' },
      });
      assert.equal(status, 201);
      const token = await newToken('fresh@example.com');
      const response = await register({ merchant_name: 'fresh  shop', token });
      const fields = [{ name: 'merchant_name', reason: TAKEN }];
      assert.deepEqual(response.json(), { message: TAKEN, fields });
      const common = await register({ merchant_name: 'Fresher Shop', token, password: 'fresher123' });
      assert.equal(common.json<{ message: string }>().message, 'This password is too common.');
      assert.equal((await register({ merchant_name: 'Fresher Shop', token })).status, 201);
      const names = await service.database.all(listNames);
      assert.equal(names.filter(({ name }) => /^fresh/i.test(name)).length, 2);
    });

    it('429: limits the names that the owner of a link can try', async () => {
      const token = await newToken('guess@example.com');
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 21; attempt += 1) {
        if (attempt % 9 === 0) parts().service.passTime(61_000);
        statuses.push((await register({ merchant_name: '12', token })).status);
      }
      assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([400]));
      assert.equal(statuses[20], 429);
    });

    it('mails an address once in 20 minutes, with the same response, however often it is requested', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      for (const address of ['flooded@example.com', email]) {
        service.passTime(61 * MINUTE_MS);
        for (let request = 0; request < 4; request += 1) {
          const { status, text } = await requestLink(address);
          assert.equal(`${status} ${text}`, '202 {"status":true}');
        }
        await server.mailTo(address);
        await until(async () => (await queuedMails(service)).length === 0);
        assert.equal(server.received.filter(({ to }) => to.includes(address)).length, 1);
      }
      service.passTime(20 * MINUTE_MS);
      // A stranger who requests mails about registration keeps no one from getting a new password.
      await requestLink(email);
      assert.equal((await newClient().post('/password-links', { email })).status, 202);
      await server.mailTo(email, /^Set a new password$/);
    });

    it('429: sends five mails per hour for one network', async () => {
      for (let number = 1; number <= 5; number += 1)
        assert.equal((await requestLink(`other${number}@example.com`)).status, 202);
      assert.equal((await requestLink('other6@example.com')).status, 429);
    });

    it('429: sends 1,000 mails per day for all networks, and a refused address can be tried again', async () => {
      const { server, service } = parts();
      service.passTime(DAY_MS);
      const take = (): Promise<number> => takeAttempt(service, limits.registrationLinks, 'anyone');
      for (let sent = 1; sent < 1_000; sent += 1) assert.equal(await take(), 0);
      assert.equal((await requestLink('thousandth@example.com')).status, 202);
      const refused = await requestLink('next@example.com');
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.header('retry-after')) > 23 * 60 * 60);
      service.passTime(DAY_MS);
      assert.equal((await requestLink('next@example.com')).status, 202);
      await server.mailTo('next@example.com');
    });

    it('400: without an email address, which does not count', async () => {
      await assertEmailsRefused(requestLink);
    });
  });
});

describe('links to register', () => {
  const parts = useMailService(sqlite);

  it('403: are not mailed unless the operator enables registration', async () => {
    const client = new ConsoleClient(parts().service.client);
    for (const [path, body] of [
      ['/registration-links', { email: 'ann@example.com' }],
      ['/registration-links/check', { token: 'x' }],
      ['/registration', { ...form, token: 'x' }],
    ] as const)
      assert.equal((await client.post(path, body)).status, 403, path);
    assert.deepEqual(await queuedMails(parts().service), []);
  });
});

it('403: links to register are not mailed without a mail server', async () => {
  await using service = await startTestService(sqlite, { environment });
  const client = new ConsoleClient(service.client);
  const response = await client.post('/registration-links', { email: 'ann@example.com' });
  assert.equal(response.status, 403);
  assert.match(response.message, /^This console sends no email, so registration needs no link\.$/);
  assert.deepEqual(await queuedMails(service), []);
});
