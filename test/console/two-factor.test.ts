import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { rotateSecret } from '../../src/console/auth/secrets.ts';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { startTestService, useService } from '../support/service.ts';
import { codeOf } from '../support/totp.ts';
import { inviteUser } from '../support/users.ts';

forEachEngine((engine) => {
  describe('two-factor authentication', () => {
    const service = useService(engine);
    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    beforeEach(() => service().passTime(121_000));

    const withTwoFactor = async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      await client.signIn(email);
      const response = await client.post('/auth/two-factor/enable', { password: PASSWORD });
      assert.equal(response.status, 200, response.text);
      const { totpURI, backupCodes } = response.json<{ totpURI: string; backupCodes: string[] }>();
      assert.equal((await client.get('/session')).json<ConsoleSession>().user.two_factor, false);
      const verified = await client.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
      assert.equal(verified.status, 200, verified.text);
      return { merchant, email, client, totpURI, backupCodes };
    };
    const enterPassword = async (email: string): Promise<ConsoleClient> => {
      const client = newClient();
      const response = await client.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.deepEqual(response.json(), { status: true, twoFactorRedirect: true });
      assert.equal((await client.get('/session')).status, 401);
      return client;
    };

    it('requires a code once it is enabled, and accepts each code for only one sign-in', async () => {
      const { email, client, totpURI } = await withTwoFactor();
      assert.equal((await client.get('/session')).json<ConsoleSession>().user.two_factor, true);
      const code = codeOf(totpURI, 1);
      const here = await enterPassword(email);
      assert.equal((await here.post('/auth/two-factor/verify-totp', { code: '000000' })).status, 400);
      assert.equal((await here.post('/auth/two-factor/verify-totp', { code })).status, 200);
      assert.equal((await here.get('/session')).status, 200);
      const there = await enterPassword(email);
      const again = await there.post('/auth/two-factor/verify-totp', { code });
      assert.equal(again.status, 400);
      assert.equal((await there.get('/session')).status, 401);
      const entries = await auditLogOf(service(), here);
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['user.signed_in', 'user.two_factor_enabled', 'user.signed_in', 'key.created'],
      );
    });

    it('accepts each recovery code once in place of a code', async () => {
      const { email, backupCodes } = await withTwoFactor();
      assert.equal(backupCodes.length, 10);
      const [code] = backupCodes;
      const client = await enterPassword(email);
      assert.equal((await client.post('/auth/two-factor/verify-backup-code', { code: 'wrong' })).status, 400);
      assert.equal((await client.post('/auth/two-factor/verify-backup-code', { code })).status, 200);
      assert.equal((await client.get('/session')).status, 200);
      const second = await enterPassword(email);
      assert.equal((await second.post('/auth/two-factor/verify-backup-code', { code })).status, 400);
      assert.equal((await second.get('/session')).status, 401);
      const more = await client.post('/auth/two-factor/generate-backup-codes', { password: PASSWORD });
      const [fresh] = more.json<{ backupCodes: string[] }>().backupCodes;
      const stale = await second.post('/auth/two-factor/verify-backup-code', { code: backupCodes[1] });
      assert.equal(stale.status, 400);
      assert.equal((await second.post('/auth/two-factor/verify-backup-code', { code: fresh })).status, 200);
    });

    it('ends a sign-in after five wrong codes, and blocks the user for a while after ten', async (t) => {
      const { email, totpURI } = await withTwoFactor();
      const guess = async (client: ConsoleClient): Promise<number> => {
        service().passTime(61_000);
        return (await client.post('/auth/two-factor/verify-totp', { code: '000000' })).status;
      };
      for (let round = 0; round < 2; round += 1) {
        const client = await enterPassword(email);
        for (let time = 0; time < 5; time += 1) assert.equal(await guess(client), 400);
        if (round === 0) assert.equal(await guess(client), 401);
      }
      const client = await enterPassword(email);
      const response = await client.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) });
      assert.equal(response.status, 429);
      const { text } = await (await startHealthServer(t, service().health))('/metrics');
      assert.equal(parseSamples(text).get('tradepost_rate_limited_total{limit="console"}'), 1);
    });

    it('requires the password to disable it or to create new recovery codes', async () => {
      const { client } = await withTwoFactor();
      for (const path of ['generate-backup-codes', 'disable']) {
        const response = await client.post(`/auth/two-factor/${path}`, { password: 'wrong' });
        assert.equal(response.status, 400, response.text);
      }
      assert.equal((await newClient().post('/auth/two-factor/disable', { password: PASSWORD })).status, 401);
      assert.equal((await client.post('/auth/two-factor/disable', { password: PASSWORD })).status, 200);
      const { user } = (await client.get('/session')).json<ConsoleSession>();
      assert.equal(user.two_factor, false);
      await newClient().signIn(user.email);
    });

    it('ends the other sessions of its user when it is enabled and when it is disabled', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const stranger = await signedIn(service(), merchant);
      const [client, other] = [newClient(), newClient()];
      await client.signIn(email);
      await other.signIn(email);
      const statuses = async (...clients: ConsoleClient[]): Promise<number[]> =>
        await Promise.all(clients.map(async (one) => (await one.get('/session')).status));
      const { totpURI } = (await client.post('/auth/two-factor/enable', { password: PASSWORD })).json<{
        totpURI: string;
      }>();
      await client.post('/auth/two-factor/verify-totp', { code: '000000' });
      assert.deepEqual(await statuses(client, other, stranger), [200, 200, 200]);
      await client.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
      assert.deepEqual(await statuses(client, other, stranger), [200, 401, 200]);
      const second = await enterPassword(email);
      await second.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) });
      assert.deepEqual(await statuses(client, second), [200, 200]);
      await client.post('/auth/two-factor/disable', { password: PASSWORD });
      assert.deepEqual(await statuses(client, second, stranger), [200, 401, 200]);
    });

    it('stays enabled when the password is reset, unless the operator disables it', async () => {
      const { merchant, email } = await withTwoFactor();
      const reset = async (resetTwoFactor: boolean): Promise<void> => {
        const user = { merchantId: merchant.id, email, name: '', resetTwoFactor };
        const { token } = await inviteUser({ database: service().database, now: Date.now }, user);
        const body = { token, newPassword: PASSWORD };
        assert.equal((await newClient().post('/auth/reset-password', body)).status, 200);
      };
      await reset(false);
      await enterPassword(email);
      await reset(true);
      const client = newClient();
      await client.signIn(email);
      assert.equal((await client.get('/session')).status, 200);
    });

    it('still works after a change of the secret, which ends sessions', async () => {
      const { email, client, totpURI } = await withTwoFactor();
      await rotateSecret(service());
      const { environment } = service();
      const next = await startTestService({ name: engine.name, environment: async () => environment });
      try {
        const after = new ConsoleClient(next.client);
        for (const [name, value] of client.cookies) after.cookies.set(name, value);
        assert.equal((await after.get('/session')).status, 401);
        await after.post('/auth/sign-in/email', { email, password: PASSWORD });
        const response = await after.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) });
        assert.equal(response.status, 200, response.text);
      } finally {
        await next.stop();
      }
    });
  });
});
