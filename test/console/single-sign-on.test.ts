import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { AuditList, ConsoleOptions, ConsoleSession } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/database.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Account, callbackOf, openCallback, useIdentityProvider } from '../support/identity-provider.ts';
import { useService } from '../support/service.ts';

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
      const { entries } = (await client.get('/audit')).json<AuditList>();
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
      const { entries } = (await client.get('/audit')).json<AuditList>();
      const refusal = entries.find(({ action }) => action === 'user.sign_in_refused');
      assert.equal(refusal?.subject, 'by Alpine ID: the email belongs to another account there');
    });

    it('rejects a user whose claim names another merchant', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      const { email } = await newUser(service(), merchant);
      const account = { sub: 'moved', ...verified(email), tradepost_merchant: String(other.id) };
      assert.equal((await signIn(account)).page, refused('other_merchant'));
      assert.equal(
        (await signIn({ ...account, tradepost_merchant: String(merchant.id) })).page,
        '/console/products',
      );
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
      assert.equal((await owner.request('DELETE', `/team/${user.id}`)).status, 200);
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
    });
  });

  describe('single sign-on that is not set up', () => {
    const service = useService(engine);

    it('is not found', async () => {
      const client = new ConsoleClient(service().client);
      assert.equal((await client.post('/auth/single-sign-on', {})).status, 404);
      assert.equal((await client.get('/auth/single-sign-on/callback?code=x&state=y')).status, 404);
      assert.equal((await client.get('/options')).json<ConsoleOptions>().single_sign_on, null);
    });
  });
});
