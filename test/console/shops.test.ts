import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type {
  ConsoleSession,
  Notifications,
  PasswordLinkState,
  TeamInvitation,
  TeamList,
} from '../../src/console/console-api.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { removeUser } from '../../src/users/remove-user.ts';
import type { Role } from '../../src/users/role.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';
import { addUser, inviteUser } from '../support/users.ts';

async function remove(
  service: TestService,
  { id: merchantId }: TestMerchant,
  email: string,
): Promise<string> {
  return await runVerb(service, { merchantId, who: OPERATOR }, removeUser, { email });
}

const NEW_PASSWORD = 'another horse entirely';

forEachEngine((engine) => {
  const service = useService(engine);
  beforeEach(() => service().passTime(61_000));

  describe('a person with several shops', () => {
    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    const signIn = async (email: string): Promise<ConsoleClient> => {
      const client = newClient();
      await client.signIn(email);
      return client;
    };
    const sessionOf = async (client: ConsoleClient): Promise<ConsoleSession> =>
      (await client.get('/session')).json<ConsoleSession>();
    const shopOf = async (client: ConsoleClient): Promise<number> => (await sessionOf(client)).merchant.id;
    const enter = (client: ConsoleClient, { id }: { id: number }) =>
      client.post('/session/shop', { merchant_id: id });

    /** A person who is an owner of `first`, and has another role in `second`, which has its own owner. */
    const newPerson = async (role: Role = 'viewer') => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      const { email } = await newUser(service(), first);
      const ownerOfSecond = await signedIn(service(), second);
      const client = await signIn(email);
      const { token } = await inviteUser(service(), { merchantId: second.id, email, name: 'Known', role });
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
      await enter(client, first);
      return { first, second, email, client, ownerOfSecond };
    };

    it('has another role in each shop, and sees and changes nothing of the other one', async () => {
      const { first, second, client } = await newPerson('viewer');
      const create = (name: string) => client.post('/v1/campaigns', { name, type: 'T' });
      assert.equal((await create('Of the first')).status, 200);
      const before = await sessionOf(client);
      assert.deepEqual([before.merchant.id, before.user.role], [first.id, 'owner']);
      assert.deepEqual(
        before.shops.map(({ id }) => id),
        [first.id, second.id],
      );
      const switched = await enter(client, second);
      assert.equal(switched.status, 200, switched.text);
      const { merchant, user } = switched.json<ConsoleSession>();
      assert.deepEqual([merchant.id, user.role], [second.id, 'viewer']);
      assert.equal((await create('Of the second')).status, 403);
      assert.equal((await client.get('/v1/campaigns')).text.includes('Of the first'), false);
      assert.equal((await client.get('/activity')).text.includes('Of the first'), false);
      assert.equal((await enter(client, first)).status, 200);
      assert.ok((await client.get('/v1/campaigns')).text.includes('Of the first'));
    });

    it('signs in to the shop used last, and each session stays in its own', async () => {
      const { first, second, email, client } = await newPerson();
      service().passTime(1_000);
      await enter(client, second);
      service().passTime(61_000);
      const other = await signIn(email);
      assert.equal(await shopOf(other), second.id);
      service().passTime(1_000);
      await enter(other, first);
      assert.deepEqual([await shopOf(client), await shopOf(other)], [second.id, first.id]);
      service().passTime(61_000);
      assert.equal(await shopOf(await signIn(email)), first.id);
      const entries = await auditLogOf(service(), other);
      assert.equal(entries[0]?.action, 'user.signed_in');
    });

    it('404: a shop of others, one that does not exist, and an invitation that is not accepted', async () => {
      const { client, email, first } = await newPerson();
      const [stranger, open] = [await service().newMerchant(), await service().newMerchant()];
      await inviteUser(service(), { merchantId: open.id, email, name: 'Known' });
      const ids: unknown[] = [stranger.id, open.id, 999_999, -first.id, 0, '1', null, undefined];
      for (const merchant_id of ids) {
        const response = await client.post('/session/shop', { merchant_id });
        assert.equal(response.status, 404, `${merchant_id}: ${response.text}`);
      }
      assert.equal(await shopOf(client), first.id);
      assert.deepEqual((await sessionOf(client)).shops.length, 2);
      assert.equal((await newClient().post('/session/shop', { merchant_id: first.id })).status, 401);
    });

    it('409: a call of a page that was loaded for another shop reads and changes nothing', async () => {
      const { first, second, client } = await newPerson('owner');
      await enter(client, second);
      const headers = { 'tradepost-merchant': String(first.id) };
      for (const [method, path, json] of [
        ['GET', '/overview', undefined],
        ['GET', '/v1/products', undefined],
        ['GET', `/products/export.csv?tradepost_merchant=${first.id}`, undefined],
        ['POST', '/v1/campaigns', { name: 'Wrong shop', type: 'T' }],
        ['POST', '/shop', { name: 'Wrong shop' }],
      ] as const) {
        const response = await client.request(method, path, { headers, ...(json && { json }) });
        assert.equal(response.status, 409, `${path}: ${response.text}`);
        assert.equal(response.headers['tradepost-merchant'], String(second.id));
        assert.match(response.message, /^You switched to Merchant no. \d+ in another tab/);
      }
      assert.equal((await client.get('/v1/campaigns')).text.includes('Wrong shop'), false);
      assert.equal((await client.get('/session')).text.includes('Wrong shop'), false);
      const right = { 'tradepost-merchant': String(second.id) };
      assert.equal((await client.request('GET', '/overview', { headers: right })).status, 200);
      const file = await client.get(`/products/export.csv?tradepost_merchant=${second.id}`);
      assert.equal(file.status, 200, file.text);
      // The page that is behind can still switch.
      const back = await client.request('POST', '/session/shop', {
        headers,
        json: { merchant_id: first.id },
      });
      assert.equal(back.status, 200, back.text);
    });

    it('has views, columns and mails for each shop', async () => {
      const { second, client } = await newPerson();
      await client.post('/notifications', { keys_expiring: false });
      await client.post('/views', { views: [{ name: 'Of the first', listing: {} }] });
      await client.post('/product-columns', { columns: ['margin'] });
      await enter(client, second);
      assert.equal((await client.get('/notifications')).json<Notifications>().keys_expiring, true);
      assert.deepEqual((await client.get('/views')).json(), { views: [] });
      assert.deepEqual((await client.get('/product-columns')).json(), { columns: null });
    });

    it('must have a second factor only in a shop that requires it', async () => {
      const { first, second, client, ownerOfSecond } = await newPerson();
      await enableTwoFactor(ownerOfSecond);
      assert.equal((await ownerOfSecond.post('/team/two-factor', { required: true })).status, 200);
      assert.equal((await client.get('/overview')).status, 200);
      const there = (await enter(client, second)).json<ConsoleSession>();
      assert.deepEqual([there.two_factor_missing, there.two_factor_required_by], [true, 'owner']);
      assert.equal((await client.get('/overview')).status, 403);
      await enter(client, first);
      assert.equal((await client.get('/overview')).status, 200);
    });

    it('can leave a suspended shop for another one', async () => {
      const { first, second, client } = await newPerson();
      await enter(client, second);
      const token = await service().newOperatorToken();
      const json = { state: 'suspended' };
      const suspended = await service().operator('PUT', `/merchants/${second.id}`, token, { json });
      assert.equal(suspended.status, 200, suspended.text);
      assert.equal((await client.get('/overview')).status, 403);
      const session = (await enter(client, first)).json<ConsoleSession>();
      assert.deepEqual([session.merchant.id, session.suspended], [first.id, false]);
      assert.equal((await client.get('/overview')).status, 200);
    });

    it('loses one shop if its owner says so, at once, and keeps account and session', async () => {
      const { first, second, email, client, ownerOfSecond } = await newPerson();
      await enter(client, second);
      const { members } = (await ownerOfSecond.get('/team')).json<TeamList>();
      const { id } = members.find((member) => member.email === email) ?? assert.fail('no member');
      assert.equal((await ownerOfSecond.request('DELETE', `/team/${id}`)).status, 200);
      const { merchant, shops } = await sessionOf(client);
      assert.deepEqual([merchant.id, shops.map((shop) => shop.id)], [first.id, [first.id]]);
      // The page that is still open does not continue in the other shop.
      const headers = { 'tradepost-merchant': String(second.id) };
      assert.equal((await client.request('GET', '/overview', { headers })).status, 409);
      assert.equal((await enter(client, second)).status, 404);
      assert.equal(await shopOf(await signIn(email)), first.id);
    });

    it('is deleted with the last shop, and the email is free', async () => {
      const { first, second, email, client } = await newPerson('owner');
      for (const merchant of [second, first]) await remove(service(), merchant, email);
      assert.equal((await client.get('/session')).status, 401);
      assert.equal(
        (await newClient().post('/auth/sign-in/email', { email, password: PASSWORD })).status,
        401,
      );
      const again = await addUser(service(), { merchantId: first.id, name: 'Again', email });
      assert.equal(again.email, email);
    });

    it('can be the only owner of one shop and not of another', async () => {
      const { first, second, email } = await newPerson('owner');
      await newUser(service(), first, 'editor');
      await assert.rejects(remove(service(), first, email), /only owner/);
      await remove(service(), second, email);
    });
  });

  describe('an invitation of a person who works for another shop', () => {
    const newInvitation = async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const merchant = await service().newMerchant();
      const owner = await signedIn(service(), merchant);
      const invite = async (to: string) => {
        const response = await owner.post('/team', { email: to, name: 'Invited', role: 'editor' });
        assert.equal(response.status, 200, response.text);
        return response.json<TeamInvitation>();
      };
      const tokenIn = ({ set_password_url: url }: TeamInvitation): string =>
        tokenOf(url ?? assert.fail('mailed'));
      const client = new ConsoleClient(service().client);
      await client.signIn(email);
      return { merchant, owner, email, client, invite, tokenIn };
    };
    const teamOf = async (owner: ConsoleClient) => (await owner.get('/team')).json<TeamList>().members;

    it('tells the owner nothing that an invitation of a stranger does not', async () => {
      const { owner, email, invite, client } = await newInvitation();
      await enableTwoFactor(client);
      const stranger = `stranger-${engine.name}@example.com`;
      const [known, unknown] = [await invite(email), await invite(stranger)];
      const shape = ({ set_password_url: url, ...rest }: TeamInvitation) => ({
        ...rest,
        url: url?.replace(/token=.*/, '').length,
        token: url?.length,
      });
      assert.deepEqual(shape(known), { ...shape(unknown), expires_at: known.expires_at });
      const members = await teamOf(owner);
      const [one, other] = [email, stranger].map((address) =>
        members.find((member) => member.email === address),
      );
      const same = { id: '', email: '', created_at: '' };
      assert.deepEqual({ ...one, ...same }, { ...other, ...same });
      assert.deepEqual([one?.name, one?.password, one?.two_factor], ['Invited', false, false]);
      const again = await owner.post(`/team/${one?.id}/invitation`);
      assert.equal(again.status, 200, again.text);
    });

    it('is accepted only in a session of that person, who keeps name and password', async () => {
      const { merchant, owner, email, client, invite, tokenIn } = await newInvitation();
      const token = tokenIn(await invite(email));
      const check = async () =>
        (await client.post('/password-links/check', { token })).json<PasswordLinkState>();
      assert.equal((await check()).joins, (await owner.get('/session')).json<ConsoleSession>().merchant.name);
      const accept = (by: ConsoleClient) => by.post('/invitations/accept', { token });
      assert.equal((await accept(new ConsoleClient(service().client))).status, 401);
      const stranger = await accept(owner);
      assert.equal(stranger.status, 409, stranger.text);
      const reset = await client.post('/auth/reset-password', { token, newPassword: NEW_PASSWORD });
      assert.equal(reset.status, 400, reset.text);
      const before = (await client.get('/session')).json<ConsoleSession>();
      const accepted = await accept(client);
      assert.equal(accepted.status, 200, accepted.text);
      const session = (await client.get('/session')).json<ConsoleSession>();
      assert.deepEqual(
        [session.merchant.id, session.user],
        [merchant.id, { ...before.user, role: 'editor' }],
      );
      assert.deepEqual(await check(), { valid: false, joins: null });
      assert.equal((await accept(client)).status, 400);
      const member = (await teamOf(owner)).find((one) => one.email === email);
      assert.deepEqual([member?.name, member?.password], [before.user.name, true]);
      const entries = await auditLogOf(service(), owner);
      assert.deepEqual(
        [entries[0]?.action, entries[0]?.who],
        ['user.joined', `${before.user.name} <${email}>`],
      );
    });

    it('does not let an owner set the password of a person whom another shop invited too', async () => {
      const { owner, invite, tokenIn } = await newInvitation();
      const email = `both-${engine.name}@example.com`;
      const ofOwner = tokenIn(await invite(email));
      const other = await service().newMerchant();
      const { token } = await inviteUser(service(), {
        merchantId: other.id,
        email,
        name: 'Theirs',
        role: 'owner',
      });
      const client = new ConsoleClient(service().client);
      const set = (value: string, newPassword: string) =>
        client.post('/auth/reset-password', { token: value, newPassword });
      assert.equal((await set(token, PASSWORD)).status, 200);
      assert.equal((await set(ofOwner, NEW_PASSWORD)).status, 400);
      await client.signIn(email);
      const { user, shops } = (await client.get('/session')).json<ConsoleSession>();
      assert.deepEqual([user.name, shops.length], ['Theirs', 1]);
      const pending = (await teamOf(owner)).find((one) => one.email === email);
      assert.deepEqual([pending?.name, pending?.password], ['Invited', false]);
      const again = tokenIn((await owner.post(`/team/${pending?.id}/invitation`)).json<TeamInvitation>());
      assert.equal((await set(again, NEW_PASSWORD)).status, 400);
      assert.equal((await client.post('/invitations/accept', { token: again })).status, 200);
      // Who has accepted gets no links from owners.
      assert.equal((await owner.post(`/team/${pending?.id}/invitation`)).status, 409);
    });

    it('can be accepted by a person who was removed from the only other shop', async () => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      const { email } = await newUser(service(), first);
      const { token } = await inviteUser(service(), { merchantId: second.id, email, name: 'Known' });
      await remove(service(), first, email);
      const client = new ConsoleClient(service().client);
      await client.signIn(email);
      assert.equal((await client.get('/session')).status, 401);
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
      assert.equal((await client.get('/session')).json<ConsoleSession>().merchant.id, second.id);
    });

    it('ends with the removal of the user who was invited', async () => {
      const { owner, email, client, invite, tokenIn } = await newInvitation();
      const token = tokenIn(await invite(email));
      const { id } = (await teamOf(owner)).find((one) => one.email === email) ?? assert.fail('no member');
      assert.equal((await owner.request('DELETE', `/team/${id}`)).status, 200);
      assert.equal((await client.post('/invitations/accept', { token })).status, 400);
      assert.equal((await client.get('/session')).status, 200);
    });

    it('lets the operator, but nobody else, reset password and second factor', async () => {
      const { merchant, email, client, invite, tokenIn } = await newInvitation();
      await enableTwoFactor(client);
      const token = tokenIn(await invite(email));
      // Not before the person has accepted: the operator may have the wrong email.
      await inviteUser(service(), { merchantId: merchant.id, email, name: 'Invited', resetTwoFactor: true });
      assert.equal((await client.get('/session')).json<ConsoleSession>().user.two_factor, true);
      assert.equal((await client.post('/invitations/accept', { token })).status, 400, 'replaced');
      const again = await inviteUser(service(), { merchantId: merchant.id, email, name: 'Invited' });
      assert.equal((await client.post('/invitations/accept', { token: again.token })).status, 200);
      const reset = await inviteUser(service(), {
        ...{ merchantId: merchant.id, email, name: 'Invited', resetTwoFactor: true },
      });
      const set = await client.post('/auth/reset-password', {
        token: reset.token,
        newPassword: NEW_PASSWORD,
      });
      assert.equal(set.status, 200, set.text);
      const fresh = new ConsoleClient(service().client);
      await fresh.signIn(email, NEW_PASSWORD);
      assert.equal((await fresh.get('/session')).json<ConsoleSession>().user.two_factor, false);
    });
  });
});
