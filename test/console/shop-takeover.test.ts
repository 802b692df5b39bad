import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type {
  ConsoleSession,
  JoinedShop,
  PasswordLinkState,
  TeamInvitation,
  TeamList,
} from '../../src/console/console-api.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';
import { inviteUser } from '../support/users.ts';

const OWN_PASSWORD = 'another horse entirely';

let people = 0;

forEachEngine((engine) => {
  // Without a mail server, owners see the links of their invitations.
  describe('an owner who invites somebody else’s email', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    const newEmail = (): string => {
      people += 1;
      return `person-${people}@example.com`;
    };
    const sessionOf = async (client: ConsoleClient): Promise<ConsoleSession> =>
      (await client.get('/session')).json<ConsoleSession>();
    const shopsOf = async (client: ConsoleClient): Promise<number[]> =>
      (await sessionOf(client)).shops.map(({ id }) => id);
    const isOut = async (client: ConsoleClient): Promise<boolean> =>
      (await client.get('/session')).status === 401;
    const setPassword = async (client: ConsoleClient, token: string, newPassword: string) =>
      (await client.post('/auth/reset-password', { token, newPassword })).status;
    const accept = async (client: ConsoleClient, token: string): Promise<boolean> => {
      const response = await client.post('/invitations/accept', { token });
      assert.equal(response.status, 200, response.text);
      return response.json<JoinedShop>().joined;
    };
    const check = async (token: string): Promise<PasswordLinkState> =>
      (await newClient().post('/password-links/check', { token })).json<PasswordLinkState>();
    const signsIn = async (email: string, password: string): Promise<boolean> =>
      (await newClient().post('/auth/sign-in/email', { email, password })).status === 200;

    const newShop = async () => {
      const merchant: TestMerchant = await service().newMerchant();
      const owner = await signedIn(service(), merchant);
      /** Resolves to the token of the link that the owner sees. */
      const invite = async (email: string): Promise<string> => {
        const response = await owner.post('/team', { email, name: 'As the owner says', role: 'owner' });
        const url = response.json<TeamInvitation>().set_password_url ?? assert.fail(response.text);
        return tokenOf(url);
      };
      const member = async (email: string) => {
        const { members } = (await owner.get('/team')).json<TeamList>();
        return members.find((one) => one.email === email) ?? assert.fail(`no member ${email}`);
      };
      return { merchant, id: merchant.id, owner, invite, member };
    };
    /** The owner of the shop has set the password of the email, and is signed in with it. */
    const newTaken = async () => {
      const [shop, email] = [await newShop(), newEmail()];
      const attacker = newClient();
      assert.equal(await setPassword(attacker, await shop.invite(email), PASSWORD), 200);
      await attacker.signIn(email);
      service().passTime(1_000);
      return { shop, email, attacker };
    };

    it('gets into no shop that the person joins later, even if the person uses that password', async () => {
      const { shop, email, attacker } = await newTaken();
      const other = await newShop();
      const token = await other.invite(email);
      const person = newClient();
      await person.signIn(email);
      assert.equal(await accept(person, token), false);
      assert.deepEqual(await shopsOf(person), [shop.id]);
      // Neither the link nor a session is enough.
      assert.equal(await setPassword(newClient(), token, OWN_PASSWORD), 400);
      assert.equal(await setPassword(other.owner, token, OWN_PASSWORD), 400);
      assert.equal((await attacker.post('/session/shop', { merchant_id: other.id })).status, 404);
      service().passTime(1_000);
      assert.equal(await setPassword(person, token, OWN_PASSWORD), 200);
      assert.ok(await isOut(attacker));
      assert.ok(await isOut(person));
      assert.equal(await signsIn(email, PASSWORD), false);
      service().passTime(61_000);
      await person.signIn(email, OWN_PASSWORD);
      const { merchant, shops, user } = await sessionOf(person);
      assert.deepEqual([merchant.id, shops.length], [other.id, 2]);
      const entries = await auditLogOf(service(), other.owner);
      const joined = entries.find(({ action }) => action === 'user.joined');
      assert.equal(joined?.who, `${user.name} <${email}>`);
    });

    it('learns no password by shops of the same owner, one after the other', async () => {
      const { email, attacker } = await newTaken();
      const [accomplice, other] = [await newShop(), await newShop()];
      const token = await accomplice.invite(email);
      assert.equal(await accept(attacker, token), false);
      assert.equal(await setPassword(attacker, token, OWN_PASSWORD), 200);
      service().passTime(61_000);
      await attacker.signIn(email, OWN_PASSWORD);
      assert.equal(await accept(attacker, await other.invite(email)), false);
    });

    it('keeps nobody from another shop: a link that no owner has seen replaces the password', async () => {
      const { shop, email, attacker } = await newTaken();
      await enableTwoFactor(attacker);
      const other = await newShop();
      const { token } = await inviteUser(service(), { merchantId: other.id, email, name: 'Theirs' });
      assert.deepEqual(await check(token), { valid: true, joins: null });
      assert.equal(await setPassword(newClient(), token, OWN_PASSWORD), 200);
      assert.ok(await isOut(attacker));
      const person = newClient();
      await person.signIn(email, OWN_PASSWORD);
      const { merchant, user, shops } = await sessionOf(person);
      assert.deepEqual(
        [merchant.id, user.name, user.two_factor, shops.length],
        [other.id, 'Theirs', false, 2],
      );
      // From now on, the person is known.
      const third = await newShop();
      const last = await third.invite(email);
      assert.equal(await setPassword(newClient(), last, PASSWORD), 400);
      assert.equal(await accept(person, last), true);
      assert.ok((await shopsOf(person)).includes(shop.id));
    });

    it('does not win by using the link at the same time as the person', async () => {
      const [shop, other] = [await newShop(), await newShop()];
      for (let round = 0; round < 3; round += 1) {
        service().passTime(61_000);
        const email = newEmail();
        const seen = await shop.invite(email);
        const { token } = await inviteUser(service(), { merchantId: other.id, email, name: 'Theirs' });
        await Promise.all([
          setPassword(newClient(), seen, PASSWORD),
          setPassword(newClient(), seen, PASSWORD),
          setPassword(newClient(), token, OWN_PASSWORD),
        ]);
        const isTheirs = await signsIn(email, OWN_PASSWORD);
        const attacker = newClient();
        const sent = await attacker.post('/auth/sign-in/email', { email, password: PASSWORD });
        if (sent.status === 200) assert.deepEqual([isTheirs, await shopsOf(attacker)], [false, [shop.id]]);
      }
    });

    it('changes nothing of the person by role, removal, or another invitation', async () => {
      const [shop, other] = [await newShop(), await newShop()];
      const { email } = await newUser(service(), other.merchant);
      const person = newClient();
      await person.signIn(email);
      await enableTwoFactor(person);
      const before = await sessionOf(person);
      const unchanged = async (): Promise<void> => {
        const { shops: _, ...session } = await sessionOf(person);
        const { shops: __, ...expected } = before;
        assert.deepEqual(session, expected);
      };
      for (let round = 0; round < 2; round += 1) {
        const token = await shop.invite(email);
        const { id } = await shop.member(email);
        assert.equal((await shop.owner.post(`/team/${id}`, { role: 'viewer' })).status, 200);
        assert.equal(await setPassword(newClient(), token, OWN_PASSWORD), 400);
        assert.equal(await setPassword(shop.owner, token, OWN_PASSWORD), 400);
        if (round === 1) {
          assert.equal(await accept(person, token), true);
          assert.equal((await shop.owner.post(`/team/${id}/invitation`)).status, 409);
          assert.equal((await person.post('/session/shop', { merchant_id: other.id })).status, 200);
        }
        await unchanged();
        assert.equal((await shop.owner.request('DELETE', `/team/${id}`)).status, 200);
        await unchanged();
      }
      assert.deepEqual(await shopsOf(person), [other.id]);
      const actions = async (of: ConsoleClient) =>
        (await auditLogOf(service(), of)).map(({ action }) => action);
      assert.equal((await actions(other.owner)).includes('user.removed'), false);
      assert.ok((await actions(shop.owner)).includes('user.removed'));
    });
  });
});
