import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type {
  ConsoleOptions,
  ConsoleSession,
  JoinedShop,
  PasswordLinkState,
  TeamInvitation,
  TeamList,
} from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { changeRole } from '../../src/users/change-role.ts';
import { findUserByEmail } from '../../src/users/membership-queries.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { type Account, callbackOf, openCallback, useIdentityProvider } from '../support/identity-provider.ts';
import { tokenOf } from '../support/links.ts';
import { startTestService, useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';

const asByPassword = statement<{ userId: string }, never>(
  'UPDATE user_sessions SET by_provider = 0 WHERE user_id = :userId',
);

forEachEngine((engine) => {
  describe('single sign-on of merchants', () => {
    const provider = useIdentityProvider({ REQUIRE_TWO_FACTOR: 'on' });
    const service = useService(engine, { environment: provider.environment });
    beforeEach(() => service().passTime(61_000));

    async function signIn(account: Account): Promise<{ client: ConsoleClient; page: string }> {
      provider.account(account);
      const client = new ConsoleClient(service().client);
      const page = await openCallback(client, await callbackOf(provider, client, account.sub));
      return { client, page };
    }
    async function sessionOf(client: ConsoleClient): Promise<ConsoleSession> {
      const response = await client.get('/session');
      assert.equal(response.status, 200, response.text);
      return response.json<ConsoleSession>();
    }
    const verified = (email: string) => ({ email, email_verified: true });
    const named = ({ id }: { id: number }, role: string) => ({
      tradepost_merchant: id,
      tradepost_merchant_role: role,
    });
    const refused = (problem: string): string => `/console/sign-in?problem=${problem}&next=%2Fproducts`;

    it('signs in a user with the verified email, without a second factor of ours', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant, 'editor');
      const { client, page } = await signIn({ sub: 'user', ...verified(email) });
      assert.equal(page, '/console/products');
      const session = await sessionOf(client);
      assert.deepEqual(
        [session.by_provider, session.two_factor_missing, session.user.role, session.merchant.id],
        [true, false, 'editor', merchant.id],
      );
      assert.equal((await client.get('/v1/products')).status, 200);
      const entries = await auditLogOf(service(), client);
      assert.deepEqual([entries[0]?.action, entries[0]?.subject], ['user.signed_in', 'by Alpine ID']);
      const byPassword = new ConsoleClient(service().client);
      await byPassword.signIn(email);
      assert.equal((await sessionOf(byPassword)).two_factor_missing, true);
      assert.equal((await byPassword.get('/v1/products')).status, 403);
    });

    it('creates a user by claims that name the merchant and a role', async () => {
      const merchant = await service().newMerchant();
      const claims = { sub: 'owner', ...verified('owner@example.com'), name: 'Olga\tOlsen' };
      const { client } = await signIn({
        ...claims,
        tradepost_merchant: merchant.id,
        tradepost_merchant_role: 'owner',
      });
      const { user, merchant: shop } = await sessionOf(client);
      assert.deepEqual([user.role, shop.id, user.name], ['owner', merchant.id, 'Olga Olsen']);
    });

    it('creates none without both claims, or as the first one without an owner', async () => {
      const { id } = await service().newMerchant();
      const claims = { sub: 'nobody', ...verified('nobody@example.com') };
      for (const further of [
        {},
        { tradepost_merchant: id },
        { tradepost_merchant_role: 'owner' },
        { tradepost_merchant: id, tradepost_merchant_role: 'admin' },
        { tradepost_merchant: -id, tradepost_merchant_role: 'owner' },
        { tradepost_merchant: 'no such merchant', tradepost_merchant_role: 'owner' },
        { tradepost_merchant: id, tradepost_merchant_role: 'viewer' },
        { tradepost_role: 'admin' },
      ]) {
        service().passTime(61_000);
        assert.equal(
          (await signIn({ ...claims, ...further })).page,
          refused('no_access'),
          JSON.stringify(further),
        );
      }
    });

    it('rejects an email that is not verified, or whose user is someone else there', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const unverified = { sub: 'unverified', email, email_verified: false };
      assert.equal((await signIn(unverified)).page, refused('email_unverified'));
      await signIn({ sub: 'first', ...verified(email) });
      assert.equal((await signIn({ sub: 'second', ...verified(email) })).page, refused('email_taken'));
      const { client } = await signIn({ sub: 'first', email: 'changed@example.com' });
      assert.equal((await sessionOf(client)).user.email, email);
      const entries = await auditLogOf(service(), client);
      const refusal = entries.find(({ action }) => action === 'user.sign_in_refused');
      assert.equal(refusal?.who_kind, 'stranger');
      assert.equal(refusal.subject, 'by Alpine ID: the email belongs to another account there');
    });

    it('creates one user if a person signs in twice at once', async () => {
      const { id } = await service().newMerchant();
      const claims = { tradepost_merchant: id, tradepost_merchant_role: 'owner' };
      provider.account({ sub: 'twice', ...verified('twice@example.com'), ...claims });
      const browsers = [new ConsoleClient(service().client), new ConsoleClient(service().client)];
      const callbacks: Awaited<ReturnType<typeof callbackOf>>[] = [];
      for (const browser of browsers) callbacks.push(await callbackOf(provider, browser, 'twice'));
      const pages = await Promise.all(
        browsers.map((browser, index) => openCallback(browser, callbacks[index] ?? assert.fail())),
      );
      assert.deepEqual(pages, ['/console/products', '/console/products']);
      const [one, other] = await Promise.all(browsers.map(sessionOf));
      assert.equal(one?.user.id, other?.user.id);
    });

    it('rejects a claim with the name of a merchant, which can change', async () => {
      const { id } = await service().newMerchant();
      const token = await service().newOperatorToken();
      const { name } = (await service().operator('GET', `/merchants/${id}`, token)).json<{ name: string }>();
      const claims = { tradepost_merchant: name, tradepost_merchant_role: 'owner' };
      const account = { sub: 'named', ...verified('named@example.com'), ...claims };
      assert.equal((await signIn(account)).page, refused('no_access'));
    });

    it('ends the password of someone who registered with the email, and never confirmed it', async () => {
      const own = await startTestService(engine, {
        environment: { ...provider.environment, SELF_REGISTRATION: 'on' },
      });
      try {
        const email = 'not.confirmed@example.com';
        const stranger = new ConsoleClient(own.client);
        const form = { merchant_name: 'Trap', time_zone: 'UTC', name: 'Trap', email, password: PASSWORD };
        assert.equal((await stranger.post('/registration', form)).status, 201);
        provider.account({ sub: 'not confirmed', ...verified(email) });
        const client = new ConsoleClient(own.client);
        await openCallback(client, await callbackOf(provider, client, 'not confirmed'));
        assert.equal((await sessionOf(client)).user.email, email);
        assert.equal((await stranger.get('/session')).status, 401);
        const again = await stranger.post('/auth/sign-in/email', { email, password: PASSWORD });
        assert.equal(again.status, 401, again.text);
      } finally {
        await own.stop();
      }
    });

    it('finds the merchant of a claim by the external ID, not by the service’s own', async () => {
      const token = await service().newOperatorToken();
      const merchant = (
        await service().operator('PUT', '/merchants/990001', token, { json: { name: 'Elsewhere 990001' } })
      ).json<{ id: number }>();
      const claimed = async (named: number | string) =>
        await signIn({
          sub: `claims ${named}`,
          ...verified(`claims.${named}@example.com`),
          tradepost_merchant: named,
          tradepost_merchant_role: 'owner',
        });
      assert.equal((await claimed(merchant.id)).page, refused('no_access'));
      const { client } = await claimed('990001');
      assert.equal((await sessionOf(client)).merchant.id, merchant.id);
    });

    it('rejects a user whose claim names another merchant', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      const { email } = await newUser(service(), merchant);
      const account = { sub: 'moved', ...verified(email), tradepost_merchant: String(other.id) };
      assert.equal((await signIn(account)).page, refused('other_merchant'));
      assert.equal((await signIn({ ...account, sub: 'not linked' })).page, refused('other_merchant'));
      assert.equal(
        (await signIn({ ...account, tradepost_merchant: String(merchant.id) })).page,
        '/console/products',
      );
    });

    /** A person whose password the owner of a shop has set, and a client with that password's session. */
    const newTaken = async (email: string) => {
      const first = await service().newMerchant();
      const { email: of } = await newUser(service(), first);
      const owner = new ConsoleClient(service().client);
      // As the owner’s own provider has no second factor of ours.
      provider.account({ sub: `owner of ${email}`, ...verified(of) });
      await openCallback(owner, await callbackOf(provider, owner, `owner of ${email}`));
      const response = await owner.post('/team', { email, name: 'Taken', role: 'owner' });
      const { set_password_url: url } = response.json<TeamInvitation>();
      const before = new ConsoleClient(service().client);
      const token = tokenOf(url ?? assert.fail(response.text));
      await before.post('/auth/reset-password', { token, newPassword: PASSWORD });
      await before.signIn(email);
      service().passTime(61_000);
      return { first, before };
    };

    it('joins a person to the shop that the claims name, and ends a password that an owner may know', async () => {
      const second = await service().newMerchant();
      await newUser(service(), second);
      const email = 'taken@example.com';
      const { first, before } = await newTaken(email);
      const account = { sub: 'joins', ...verified(email) };
      const claims = { tradepost_merchant: second.id, tradepost_merchant_role: 'viewer' };
      const { client } = await signIn({ ...account, ...claims });
      const session = await sessionOf(client);
      assert.deepEqual([session.merchant.id, session.user.role], [second.id, 'viewer']);
      assert.deepEqual(
        session.shops.map(({ id }) => id).sort((a, b) => a - b),
        [first.id, second.id].sort((a, b) => a - b),
      );
      assert.equal((await before.get('/session')).status, 401);
      const byPassword = new ConsoleClient(service().client);
      const refusal = await byPassword.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(refusal.status, 401, refusal.text);
      assert.equal((await client.post('/session/shop', { merchant_id: first.id })).status, 200);
      assert.equal((await sessionOf(client)).user.role, 'owner');
    });

    it('ends such a password at the first sign-in by the provider, which can accept an invitation', async () => {
      const second = await service().newMerchant();
      await newUser(service(), second);
      const email = 'taken-and-invited@example.com';
      const { before } = await newTaken(email);
      const { client } = await signIn({ sub: 'taken and invited', ...verified(email) });
      assert.equal((await before.get('/session')).status, 401);
      const { token } = await inviteUser(service(), { merchantId: second.id, email, name: 'Invited' });
      assert.equal((await client.post('/invitations/accept', { token })).json<JoinedShop>().joined, true);
      assert.equal((await sessionOf(client)).merchant.id, second.id);
      const refusal = await before.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(refusal.status, 401, refusal.text);
    });

    it('keeps a password that only the person knows', async () => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      await newUser(service(), second);
      const { email } = await newUser(service(), first);
      const before = new ConsoleClient(service().client);
      await before.signIn(email);
      await signIn({ sub: 'knows', ...verified(email), ...named(second, 'viewer') });
      assert.equal((await sessionOf(before)).shops.length, 2);
    });

    it('is in a shop that a claim once named only after a sign-in to it', async () => {
      const [first, second, third] = [
        await service().newMerchant(),
        await service().newMerchant(),
        await service().newMerchant(),
      ];
      for (const merchant of [second, third]) await newUser(service(), merchant);
      const { email } = await newUser(service(), first);
      const account = { sub: 'moves', ...verified(email) };
      const inSecond = (await signIn({ ...account, ...named(second, 'editor') })).client;
      service().passTime(61_000);
      const inThird = (await signIn({ ...account, ...named(third, 'editor') })).client;
      const idsOf = async (client: ConsoleClient) => (await sessionOf(client)).shops.map(({ id }) => id);
      assert.deepEqual(await idsOf(inSecond), [first.id, second.id]);
      assert.deepEqual(await idsOf(inThird), [first.id, third.id]);
      const enter = async (client: ConsoleClient, { id }: { id: number }) =>
        (await client.post('/session/shop', { merchant_id: id })).status;
      assert.equal(await enter(inThird, second), 404);
      // The person has accepted the first one.
      assert.deepEqual([await enter(inThird, first), await enter(inThird, third)], [200, 200]);
      const user = await service().database.first(findUserByEmail, { merchantId: second.id, email });
      const member = user ?? assert.fail('no user');
      const by = { merchantId: second.id, who: OPERATOR };
      await runVerb(service(), by, changeRole, { user: member, role: 'viewer' });
      assert.equal(await enter(inThird, second), 200, 'the role needs no claim now');
    });

    it('opens the shop that a claim names, and changes no role in another one', async () => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      await newUser(service(), second);
      const { email } = await newUser(service(), first, 'owner');
      const account = { sub: 'several', ...verified(email) };
      const viewer = { tradepost_merchant_role: 'viewer' };
      await signIn({ ...account, ...viewer, tradepost_merchant: second.id });
      service().passTime(61_000);
      const inFirst = await signIn({ ...account, ...viewer, tradepost_merchant: first.id });
      assert.equal((await sessionOf(inFirst.client)).merchant.id, first.id);
      assert.equal((await sessionOf(inFirst.client)).user.role, 'viewer');
      service().passTime(61_000);
      const ambiguous = await signIn({ ...account, tradepost_merchant_role: 'owner' });
      const { merchant, user } = await sessionOf(ambiguous.client);
      assert.deepEqual([merchant.id, user.role], [first.id, 'viewer']);
      service().passTime(61_000);
      assert.equal((await signIn(account)).page, refused('no_access'));
    });

    it('accepts an invitation, but never one of a person who has another shop', async () => {
      const [first, second] = [await service().newMerchant(), await service().newMerchant()];
      const [email, name] = ['invited-here@example.com', 'Invited'];
      await newUser(service(), second);
      await inviteUser(service(), { merchantId: first.id, email, name });
      const account = { sub: 'invited', ...verified(email) };
      assert.equal((await sessionOf((await signIn(account)).client)).merchant.id, first.id);
      const { token } = await inviteUser(service(), { merchantId: second.id, email, name });
      service().passTime(61_000);
      const { client } = await signIn(account);
      const session = await sessionOf(client);
      assert.deepEqual([session.merchant.id, session.shops.length], [first.id, 1]);
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
      assert.equal((await sessionOf(client)).merchant.id, second.id);
    });

    it('is apart from the operators’ single sign-on', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      provider.account({ sub: 'apart', ...verified(email), tradepost_merchant_role: 'owner' });
      const atScreen = new ConsoleClient(service().client, '/operator/api');
      const page = await openCallback(atScreen, await callbackOf(provider, atScreen, 'apart'));
      assert.equal(page, '/operator/sign-in?problem=no_access&next=%2Fproducts');
    });

    it('ends with the user', async () => {
      const merchant = await service().newMerchant();
      await newUser(service(), merchant, 'owner');
      const { email } = await newUser(service(), merchant, 'viewer');
      const { client } = await signIn({ sub: 'removed', ...verified(email) });
      const { client: owner } = await signIn({
        sub: 'remover',
        ...verified('remover@example.com'),
        tradepost_merchant: merchant.id,
        tradepost_merchant_role: 'owner',
      });
      const { user } = await sessionOf(client);
      const { members } = (await owner.get('/team')).json<TeamList>();
      const member = members.find((one) => one.email === email);
      assert.equal((await owner.request('DELETE', `/team/${member?.id}`)).status, 200);
      assert.equal((await client.get('/session')).status, 401);
      assert.equal((await signIn({ sub: 'removed', ...verified(email) })).page, refused('no_access'));
      const identities = await service().database.all(
        statement<{ userId: string }, { subject: string }>(
          'SELECT subject FROM user_identities WHERE user_id = :userId',
        ),
        { userId: user.id },
      );
      assert.deepEqual(identities, []);
    });

    it('replaces the session that the browser had', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = await signedIn(service(), merchant);
      const before = new ConsoleClient(service().client);
      for (const [name, value] of client.cookies) before.cookies.set(name, value);
      assert.equal((await before.get('/session')).status, 200);
      provider.account({ sub: 'replaces', ...verified(email) });
      await openCallback(client, await callbackOf(provider, client, 'replaces'));
      assert.equal((await sessionOf(client)).user.email, email);
      assert.equal((await before.get('/session')).status, 401);
    });
  });

  describe('single sign-on of merchants without passwords', () => {
    const provider = useIdentityProvider({
      MERCHANT_OIDC_ONLY: 'on',
      SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
      MAIL_FROM: 'shop@example.com',
    });
    const service = useService(engine, { environment: provider.environment });

    it('accepts no passwords, and sends no links to set one', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const client = new ConsoleClient(service().client);
      const options = (await client.get('/options')).json<ConsoleOptions>();
      assert.deepEqual(options.single_sign_on, { name: 'Alpine ID', only: true });
      const response = await client.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(response.status, 401, response.text);
      const link = await client.post('/password-links', { email });
      assert.equal(link.status, 403, link.text);
      assert.equal(link.message, 'Passwords are off here. Sign in with Alpine ID.');
      provider.account({ sub: 'only', email, email_verified: true });
      await openCallback(client, await callbackOf(provider, client, 'only'));
      assert.equal((await client.get('/session')).status, 200);
      const other = await service().newMerchant();
      await newUser(service(), other);
      const { token } = await inviteUser(service(), { merchantId: other.id, email, name: 'Known' });
      const state = (await client.post('/password-links/check', { token })).json<PasswordLinkState>();
      assert.equal(state.valid, true);
      assert.equal(typeof state.joins, 'string');
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
    });

    it('accepts no session that a password began before', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = new ConsoleClient(service().client);
      provider.account({ sub: 'before', email, email_verified: true });
      await openCallback(client, await callbackOf(provider, client, 'before'));
      const { user } = (await client.get('/session')).json<ConsoleSession>();
      const change = { userId: user.id };
      await service().database.transaction((connection) => connection.run(asByPassword, change));
      assert.equal((await client.get('/session')).status, 401);
      assert.equal((await client.get('/v1/products')).status, 401);
    });
  });
});

describe('single sign-on that is not set up', () => {
  const service = useService(sqlite);

  it('is not found', async () => {
    const client = new ConsoleClient(service().client);
    assert.equal((await client.post('/auth/single-sign-on', {})).status, 404);
    assert.equal((await client.get('/auth/single-sign-on/callback?code=x&state=y')).status, 404);
    assert.equal((await client.get('/options')).json<ConsoleOptions>().single_sign_on, null);
  });
});
