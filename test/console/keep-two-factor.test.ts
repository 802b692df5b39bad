import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { addedPasskey, ORIGIN, signInWith } from '../support/passkeys.ts';
import { useService } from '../support/service.ts';
import { codeOf, enableTwoFactor } from '../support/totp.ts';
import { inviteUser } from '../support/users.ts';

const REQUIRED = 'Two-factor authentication is required, so you can’t disable it.';
const PASSKEY_FIRST =
  'Sign in with your passkey first. If you have lost it, ask for a link to set a new password.';

forEachEngine((engine) => {
  describe('two factors that are required', () => {
    const service = useService(engine, { environment: { PUBLIC_URL: ORIGIN } });
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    const enable = (client: ConsoleClient): Promise<ClientResponse> =>
      client.post('/auth/two-factor/enable', { password: PASSWORD });
    const isRefused = (response: ClientResponse, message: string): void =>
      assert.deepEqual([response.status, response.message], [409, message]);

    /** A person of two shops, who has a passkey only. `require` sets the rule of the second shop. */
    const newPerson = async () => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      const { email } = await newUser(service(), first);
      const owner = await signedIn(service(), second);
      const client = newClient();
      await client.signIn(email);
      const invited = { merchantId: second.id, email, name: 'Same', role: 'editor' } as const;
      const { token } = await inviteUser(service(), invited);
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
      await client.post('/session/shop', { merchant_id: first.id });
      await enableTwoFactor(owner);
      const require = async (): Promise<void> =>
        assert.equal((await owner.post('/team/two-factor', { required: true })).status, 200);
      return { email, client, second, require };
    };

    it('cannot be disabled, in the console or on the operator’s screen', async () => {
      const { client, require } = await newPerson();
      const disable = (one: ConsoleClient): Promise<ClientResponse> =>
        one.post('/auth/two-factor/disable', { password: PASSWORD });
      await enableTwoFactor(client);
      assert.equal((await disable(client)).status, 200);
      service().passTime(61_000);
      await enableTwoFactor(client);
      await require();
      isRefused(await disable(client), REQUIRED);
      const { client: operator } = await signedInOperator(service());
      isRefused(await disable(operator), REQUIRED);
      assert.equal((await operator.get('/operators')).status, 200);
    });

    it('are not set up with the password alone if the user has a passkey, in any shop', async () => {
      const { email, client, second, require } = await newPerson();
      const { authenticator } = await addedPasskey(client);
      await require();
      const thief = newClient();
      await thief.signIn(email);
      isRefused(await enable(thief), PASSKEY_FIRST);
      await thief.post('/session/shop', { merchant_id: second.id });
      isRefused(await enable(thief), PASSKEY_FIRST);
      assert.equal((await thief.get('/overview')).status, 403);
      const own = newClient();
      assert.equal((await signInWith(authenticator, own)).status, 200);
      await enableTwoFactor(own);
      assert.equal((await own.get('/session')).json<ConsoleSession>().user.two_factor, true);
    });

    it('are not completed with an app that was shown before the user had a passkey', async () => {
      const { email, client, require } = await newPerson();
      const thief = newClient();
      await thief.signIn(email);
      const { totpURI } = (await enable(thief)).json<{ totpURI: string }>();
      await addedPasskey(client);
      await require();
      const code = codeOf(totpURI);
      isRefused(await thief.post('/auth/two-factor/verify-totp', { code }), PASSKEY_FIRST);
    });

    it('are set up with the password by users who have neither', async () => {
      const { email, require } = await newPerson();
      await require();
      const client = newClient();
      await client.signIn(email);
      await enableTwoFactor(client);
      assert.equal((await client.get('/overview')).status, 200);
    });
  });
});
