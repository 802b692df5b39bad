import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { PasswordLinkState } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { auditLogOf, whoOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { startTestService, useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';

const HOUR_MS = 60 * 60 * 1000;
const NEW_PASSWORD = 'another horse entirely';

const listHashes = statement<unknown, { password_hash: string }>('SELECT password_hash FROM user_accounts');

it('a new password is stored as a hash of scrypt that needs 32 MiB three times', async () => {
  await using service = await startTestService(sqlite, { passwordCost: null });
  const { id: merchantId } = await service.newMerchant();
  const { token } = await inviteUser(service, { merchantId, email: 'ada@example.com', name: 'Ada' });
  const client = new ConsoleClient(service.client);
  await client.post('/auth/reset-password', { token, newPassword: PASSWORD });
  await client.signIn('ada@example.com');
  const hashes = await service.database.all(listHashes);
  assert.match(hashes.map((row) => row.password_hash).join(), /^scrypt:ln=15,r=8,p=3:[\w-]{22}:[\w-]{43}$/);
});

forEachEngine((engine) => {
  describe('setting a password', () => {
    const service = useService(engine);
    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    beforeEach(() => service().passTime(61_000));

    let invited = 0;
    const invite = async (merchantId: number, email = `invited${++invited}@example.com`, at = Date.now()) => {
      const user = { merchantId, email, name: 'Invited' };
      const { token } = await inviteUser({ database: service().database, now: () => at }, user);
      return { email, token };
    };
    const setPassword = (token: string, newPassword = PASSWORD) =>
      newClient().post('/auth/reset-password', { token, newPassword });

    it('works once per link, and the user can then sign in', async () => {
      const { id } = await service().newMerchant();
      const { email, token } = await invite(id);
      const early = await newClient().post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(early.status, 401);
      assert.equal((await setPassword(token)).status, 200);
      const again = await setPassword(token, NEW_PASSWORD);
      assert.equal(again.status, 400);
      assert.match(again.message, /was already used/);
      const client = newClient();
      await client.signIn(email);
      const entries = await auditLogOf(service(), client);
      assert.deepEqual(
        entries.map(({ action, ...by }) => [action, whoOf(by)]),
        [
          ['user.signed_in', `Invited <${email}>`],
          ['user.password_changed', `Invited <${email}>`],
          ['user.invited', 'operator'],
          ['key.created', 'operator'],
        ],
      );
    });

    it('can check a link before, without using it', async () => {
      const { id } = await service().newMerchant();
      const isValid = async (token: unknown): Promise<boolean> =>
        (await newClient().post('/password-links/check', { token })).json<PasswordLinkState>().valid;
      const { token } = await invite(id);
      const old = await invite(id, undefined, Date.now() - 73 * HOUR_MS);
      assert.deepEqual([await isValid(token), await isValid(old.token)], [true, false]);
      for (const wrong of ['made-up', '\0', '\ud800', '', 7, null]) assert.equal(await isValid(wrong), false);
      assert.equal((await setPassword(token)).status, 200);
      assert.equal(await isValid(token), false);
    });

    it('works for only one of many concurrent uses of a link', async () => {
      const { token } = await invite((await service().newMerchant()).id);
      const responses = await Promise.all([1, 2, 3, 4].map((n) => setPassword(token, `${PASSWORD} ${n}`)));
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
    });

    it('rejects a link that is expired, replaced or invented', async () => {
      const { id } = await service().newMerchant();
      const old = await invite(id, undefined, Date.now() - 73 * HOUR_MS);
      assert.equal((await setPassword(old.token)).status, 400);
      const late = await invite(id, undefined, Date.now() - 71 * HOUR_MS);
      assert.equal((await setPassword(late.token)).status, 200);
      const first = await invite(id);
      const second = await invite(id, first.email);
      assert.equal((await setPassword(first.token)).status, 400);
      assert.equal((await setPassword(second.token)).status, 200);
      for (const token of ['made-up', '\0', '\ud800', '%'])
        assert.equal((await setPassword(token)).status, 400);
    });

    it('rejects a password that is too short or too long, and keeps the link valid', async () => {
      const { token } = await invite((await service().newMerchant()).id);
      for (const password of ['x'.repeat(9), 'x'.repeat(129)]) {
        const response = await setPassword(token, password);
        assert.equal(response.status, 400);
        assert.deepEqual(
          response.json<{ fields: { name: string }[] }>().fields.map(({ name }) => name),
          ['newPassword'],
        );
      }
      assert.equal((await setPassword(token, `${PASSWORD} staple `.repeat(5).slice(0, 128))).status, 200);
    });

    it('rejects an invitation to what is no email', async () => {
      const { id } = await service().newMerchant();
      await assert.rejects(invite(id, 'nobody'), /not an email address/);
    });

    it('ends all sessions of the user', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      await client.signIn(email);
      const { token } = await invite(merchant.id, email);
      assert.equal((await client.get('/session')).status, 200);
      assert.equal((await setPassword(token, NEW_PASSWORD)).status, 200);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('requires the current password to change it, and ends the other sessions', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const [here, there] = [newClient(), newClient()];
      await here.signIn(email);
      await there.signIn(email);
      const wrong = await here.post('/auth/change-password', {
        currentPassword: 'wrong',
        newPassword: NEW_PASSWORD,
      });
      assert.equal(wrong.status, 400);
      assert.deepEqual(wrong.json<{ fields: unknown }>().fields, [
        { name: 'currentPassword', reason: 'Incorrect password.' },
      ]);
      assert.equal((await there.get('/session')).status, 200);
      const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      assert.equal((await newClient().post('/auth/change-password', body)).status, 401);
      assert.equal((await here.post('/auth/change-password', body)).status, 200);
      assert.equal((await here.get('/session')).status, 200);
      assert.equal((await there.get('/session')).status, 401);
      const client = newClient();
      assert.equal((await client.post('/auth/sign-in/email', { email, password: PASSWORD })).status, 401);
      await client.signIn(email, NEW_PASSWORD);
    });
  });
});
