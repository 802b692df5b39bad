import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { SessionList } from '../../src/console/console-api.ts';
import { addPasskey } from '../../src/console/passkeys/manage-passkeys.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { replacePasswordOfLink } from '../../src/users/accept-invitation.ts';
import { countPasskeysOfUser } from '../../src/users/passkey-queries.ts';
import { findPersonByEmail } from '../../src/users/queries.ts';
import { Authenticator } from '../support/authenticator.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { invitedOperator, operatorClient, signedInOperator } from '../support/operators.ts';
import {
  addedPasskey,
  HOST,
  newPasskeyRequest,
  ORIGIN,
  passkeysOf,
  signInWith,
} from '../support/passkeys.ts';
import { useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';

const newPassword = 'only the person knows';

forEachEngine((engine) => {
  describe('a passkey of somebody who has control of an account', () => {
    const service = useService(engine, { environment: { PUBLIC_URL: ORIGIN } });
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    /** A session, and a passkey that can be added in it. */
    const newSession = async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = newClient();
      await client.signIn(email);
      const userId = (await service().database.first(findPersonByEmail, { email }))?.id ?? assert.fail(email);
      const [first] = (await client.get('/sessions')).json<SessionList>().sessions;
      const passkey = {
        realm: 'console_users',
        userId,
        credentialId: userId,
        rpId: HOST,
        publicKey: new Uint8Array([1]),
        signCount: 0,
        transports: '',
        name: 'Late',
      };
      const caller = { merchantId: merchant.id, who: OPERATOR };
      return { client, email, caller, passkey, session: first?.id ?? assert.fail('no session is listed') };
    };

    it('ends with a password that an owner knew, once the person sets another one', async () => {
      const merchant = await service().newMerchant();
      const owner = await signedIn(service(), merchant);
      const email = 'taken@example.com';
      const invited = await owner.post('/team', { email, name: 'Taken', role: 'editor' });
      const token = tokenOf(invited.json<{ set_password_url: string }>().set_password_url);
      const known = 'an owner knows this';
      const first = { token, newPassword: known };
      assert.equal((await newClient().post('/auth/reset-password', first)).status, 200);
      const attacker = newClient();
      await attacker.signIn(email, known);
      const options = await attacker.post('/auth/passkeys/options', { password: known });
      const authenticator = new Authenticator();
      const created = authenticator.create(options.json(), { origin: ORIGIN });
      assert.equal((await attacker.post('/auth/passkeys', { ...created, name: 'Hidden' })).status, 200);
      const link = await inviteUser(service(), { merchantId: merchant.id, email, name: 'Taken' });
      const set = { token: link.token, newPassword };
      assert.equal((await newClient().post('/auth/reset-password', set)).status, 200);
      assert.equal((await signInWith(authenticator, newClient())).status, 401);
    });

    it('of an operator ends when a link sets a password', async () => {
      const { client, email } = await signedInOperator(service());
      const { authenticator } = await addedPasskey(client);
      const { token } = await invitedOperator(service(), 'admin', email);
      const thief = operatorClient(service());
      assert.equal((await signInWith(authenticator, thief)).status, 200);
      // A link of the screen changes nothing in the console, and the other way around.
      assert.equal((await newClient().post('/auth/reset-password', { token, newPassword })).status, 400);
      assert.equal((await thief.get('/session')).status, 200);
      const set = await operatorClient(service()).post('/auth/reset-password', { token, newPassword });
      assert.equal(set.status, 200, set.text);
      assert.equal((await thief.get('/session')).status, 401);
      assert.equal((await signInWith(authenticator, operatorClient(service()))).status, 401);
    });

    it('is not added while a link sets a password', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const [attacker, other] = [newClient(), newClient()];
      await attacker.signIn(email);
      const created = new Authenticator().create(await newPasskeyRequest(attacker), { origin: ORIGIN });
      const { token } = await inviteUser(service(), { merchantId: merchant.id, email, name: 'Same' });
      await service().database.transaction((connection) =>
        replacePasswordOfLink({ connection, now: service().now() }, { token }),
      );
      assert.equal((await attacker.post('/auth/passkeys', { ...created, name: 'Hidden' })).status, 401);
      const signIn = await other.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(signIn.status, 401, 'the old password has ended, too');
      assert.equal((await other.post('/auth/reset-password', { token, newPassword })).status, 200);
      await other.signIn(email, newPassword);
      assert.deepEqual(await passkeysOf(other), []);
    });

    it('is added only if its session has not ended in the meantime', async () => {
      const { client, caller, session, passkey } = await newSession();
      const add = (sessionId: string): Promise<void> =>
        runVerb(service(), caller, addPasskey, { sessionId, passkey });
      const ended = { code: 'session_required' };
      await assert.rejects(add('another'), ended);
      await client.post('/auth/sign-out');
      await assert.rejects(add(session), ended);
    });

    it('ends if it is added at the moment when a link sets a password', async () => {
      const { client, email, caller, session, passkey } = await newSession();
      const { token } = await inviteUser(service(), { merchantId: caller.merchantId, email, name: 'Same' });
      const now = service().now();
      let ending: Promise<void> | undefined;
      await service().database.transaction(async (connection) => {
        await addPasskey({ ...caller, connection, now }, { sessionId: session, passkey });
        ending = service().database.transaction((other) =>
          replacePasswordOfLink({ connection: other, now }, { token }),
        );
      });
      await ending;
      assert.equal((await client.get('/session')).status, 401);
      const left = await service().database.first(countPasskeysOfUser, { userId: passkey.userId });
      assert.equal(left?.passkeys, 0);
    });
  });
});
