import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession, SessionList } from '../../src/console/console-api.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import {
  addedPasskey,
  HOST,
  newPasskeyRequest,
  ORIGIN,
  passkeysOf,
  signInWith,
} from '../support/passkeys.ts';
import { useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';
import { inviteUser } from '../support/users.ts';

const newPassword = 'another horse entirely';

forEachEngine((engine) => {
  describe('passkeys', () => {
    const service = useService(engine, { environment: { PUBLIC_URL: ORIGIN } });
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    const sessionOf = async (client: ConsoleClient): Promise<ConsoleSession> =>
      (await client.get('/session')).json<ConsoleSession>();
    const isOpen = async (client: ConsoleClient): Promise<boolean> =>
      (await client.get('/session')).status === 200;
    const newSignedIn = async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      await client.signIn(email);
      return { merchant, email, client };
    };

    it('sign in without an email and a password, and are in the audit log', async () => {
      const { email, client, merchant } = await newSignedIn();
      const { authenticator, id } = await addedPasskey(client, { name: 'Ada’s laptop' });
      const [before] = await passkeysOf(client);
      assert.deepEqual([before?.host, before?.last_used_at], [HOST, null]);
      const other = newClient();
      const response = await signInWith(authenticator, other);
      assert.deepEqual([response.status, response.json()], [200, { status: true }]);
      const { user, merchant: shop } = await sessionOf(other);
      assert.deepEqual([user.email, shop.id], [email, merchant.id]);
      assert.ok((await passkeysOf(other))[0]?.last_used_at);
      assert.equal((await other.post(`/passkeys/${id}`, { name: ' Old laptop ' })).status, 200);
      assert.equal((await other.request('DELETE', `/passkeys/${id}`)).status, 200);
      assert.deepEqual(await passkeysOf(other), []);
      const entries = await auditLogOf(service(), other);
      assert.deepEqual(
        entries.slice(0, 4).map(({ action, subject }) => [action, subject]),
        [
          ['user.passkey_removed', 'Old laptop'],
          ['user.passkey_renamed', 'Old laptop'],
          ['user.signed_in', 'by passkey Ada’s laptop'],
          ['user.passkey_added', 'Ada’s laptop'],
        ],
      );
    });

    it('need the password to be added, and a name', async () => {
      const { client } = await newSignedIn();
      for (const [body, message] of [
        [{ password: 'not my password' }, 'Incorrect password.'],
        [{}, 'Enter your password.'],
      ] as const) {
        const response = await client.post('/auth/passkeys/options', body);
        assert.deepEqual([response.status, response.message], [400, message]);
      }
      const { authenticator, id } = await addedPasskey(client);
      for (const name of ['', ' ', 'x'.repeat(61), 'a\u202eb'])
        assert.equal((await client.post(`/passkeys/${id}`, { name })).status, 400, name);
      const known = await newPasskeyRequest(client);
      assert.deepEqual(
        known.excludeCredentials?.map((one) => one.id),
        [authenticator.id.toString('base64url')],
      );
      const again = authenticator.create(known, { origin: ORIGIN });
      const response = await client.post('/auth/passkeys', { ...again, name: 'Twice' });
      assert.deepEqual([response.status, response.message], [409, 'This passkey was already added.']);
    });

    it('stay when the user changes the password, and sign in without the second factor', async () => {
      const { email, client } = await newSignedIn();
      const { authenticator } = await addedPasskey(client);
      await enableTwoFactor(client);
      const changed = await client.post('/auth/change-password', { currentPassword: PASSWORD, newPassword });
      assert.equal(changed.status, 200, changed.text);
      const other = newClient();
      assert.equal((await signInWith(authenticator, other)).status, 200);
      assert.equal((await sessionOf(other)).user.email, email);
    });

    it('end their other sessions when they are removed', async () => {
      const { client } = await newSignedIn();
      const { authenticator, id } = await addedPasskey(client);
      const [thief, other] = [newClient(), newClient()];
      await signInWith(authenticator, thief);
      await signInWith(authenticator, other);
      assert.equal((await other.get('/sessions')).json<SessionList>().sessions.length, 3);
      assert.equal((await other.request('DELETE', `/passkeys/${id}`)).status, 200);
      assert.deepEqual([await isOpen(thief), await isOpen(other), await isOpen(client)], [false, true, true]);
      assert.equal((await signInWith(authenticator, newClient())).status, 401);
      assert.equal((await other.request('DELETE', `/passkeys/${id}`)).status, 404);
    });

    it('end with their sessions when the operator resets the second factor', async () => {
      const { merchant, email, client } = await newSignedIn();
      const { authenticator } = await addedPasskey(client);
      const other = newClient();
      await signInWith(authenticator, other);
      const user = { merchantId: merchant.id, email, name: 'Same', resetTwoFactor: true };
      const { token } = await inviteUser(service(), user);
      assert.equal(await isOpen(other), false);
      assert.equal((await signInWith(authenticator, newClient())).status, 401);
      const { authenticator: late } = await addedPasskey(client);
      assert.equal((await newClient().post('/auth/reset-password', { token, newPassword })).status, 200);
      assert.equal((await signInWith(late, newClient())).status, 401);
    });

    it('end with all sessions when a link sets a password', async () => {
      const { merchant, email, client } = await newSignedIn();
      const { authenticator } = await addedPasskey(client);
      const other = newClient();
      await signInWith(authenticator, other);
      const { token } = await inviteUser(service(), { merchantId: merchant.id, email, name: 'Same' });
      assert.equal((await signInWith(authenticator, newClient())).status, 200);
      assert.equal((await newClient().post('/auth/reset-password', { token, newPassword })).status, 200);
      assert.deepEqual([await isOpen(client), await isOpen(other)], [false, false]);
      assert.equal((await signInWith(authenticator, newClient())).status, 401);
      await client.signIn(email, newPassword);
      assert.deepEqual(await passkeysOf(client), []);
    });

    it('lead to no more than a notice if the merchant is suspended, and to nothing if the user is removed', async () => {
      const { merchant, email, client } = await newSignedIn();
      const { authenticator } = await addedPasskey(client);
      const token = await service().newOperatorToken();
      const suspend = { json: { state: 'suspended' } };
      assert.equal(
        (await service().operator('PUT', `/merchants/${merchant.id}`, token, suspend)).status,
        200,
      );
      const other = newClient();
      assert.equal((await signInWith(authenticator, other)).status, 200);
      assert.equal((await sessionOf(other)).suspended, true);
      assert.equal((await other.get('/passkeys')).status, 403);
      assert.equal((await other.get('/v1/products')).status, 403);
      const removed = await service().operator(
        'DELETE',
        `/merchants/${merchant.id}/users/${encodeURIComponent(email)}`,
        token,
      );
      assert.ok([200, 204].includes(removed.status), removed.text);
      assert.equal((await signInWith(authenticator, newClient())).status, 401);
      assert.equal(await isOpen(other), false);
    });

    it('are limited to 20 for each user', async () => {
      const { client } = await newSignedIn();
      for (let count = 0; count < 20; count += 1) {
        if (count % 9 === 0) service().passTime(15 * 60_000);
        await addedPasskey(client, { name: `Key ${count}` });
      }
      service().passTime(15 * 60_000);
      await assert.rejects(addedPasskey(client, { name: 'One more' }), /You have 20 passkeys/);
    });
  });
});

describe('passkeys where two factors are required', () => {
  const environment = { PUBLIC_URL: ORIGIN, REQUIRE_TWO_FACTOR: 'on' };
  const service = useService(sqlite, { environment });

  it('count as two, and cannot be added before there are two', async () => {
    const { email } = await newUser(service(), await service().newMerchant());
    const client = new ConsoleClient(service().client);
    await client.signIn(email);
    assert.equal((await client.post('/auth/passkeys/options', { password: PASSWORD })).status, 403);
    await enableTwoFactor(client);
    const { authenticator } = await addedPasskey(client);
    const other = new ConsoleClient(service().client);
    assert.equal((await signInWith(authenticator, other)).status, 200);
    assert.equal((await other.get('/session')).json<ConsoleSession>().two_factor_missing, false);
    assert.equal((await other.get('/overview')).status, 200);
  });
});
