import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { OperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { OperatorList, ScreenOptions, ScreenSession } from '../../src/operator/screen/screen-api.ts';
import { inviteOperator, resetOperator } from '../../src/operators/invite-operator.ts';
import { ConsoleClient, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Account, callbackOf, openCallback, useIdentityProvider } from '../support/identity-provider.ts';
import { tokenOf } from '../support/links.ts';
import { invitedOperator, operatorClient, signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { supportCode } from '../support/support-views.ts';
import { enableTwoFactor } from '../support/totp.ts';

forEachEngine((engine) => {
  describe('single sign-on of operators', () => {
    const provider = useIdentityProvider();
    const service = useService(engine, { environment: provider.environment });
    beforeEach(() => service().passTime(61_000));

    /** Resolves to where the browser ends up, and to its client. */
    async function signIn(account: Account | string): Promise<{ client: ConsoleClient; page: string }> {
      const sub = typeof account === 'string' ? account : account.sub;
      if (typeof account !== 'string') provider.account(account);
      const client = operatorClient(service());
      const page = await openCallback(client, await callbackOf(provider, client, sub));
      return { client, page };
    }
    async function roleOf(client: ConsoleClient): Promise<string> {
      return (await client.get('/session')).json<ScreenSession>().user.role;
    }
    const verified = (email: string) => ({ email, email_verified: true });
    const refused = (problem: string): string => `/operator/sign-in?problem=${problem}&next=%2Fproducts`;

    it('signs in an invited operator with the invited role, and needs no second factor of ours', async () => {
      await invitedOperator(service(), 'admin');
      const { email } = await invitedOperator(service(), 'support');
      const { client, page } = await signIn({ sub: 'sam', ...verified(email.toUpperCase()), name: 'Sam' });
      assert.equal(page, '/operator/products');
      const session = (await client.get('/session')).json<ScreenSession>();
      assert.deepEqual(
        [session.by_provider, session.two_factor_missing, session.user.two_factor, session.user.role],
        [true, false, false, 'support'],
      );
      assert.equal((await client.get('/operators')).status, 200);
      const { entries } = (await client.get('/audit')).json<OperatorAudit>();
      const { action, who_kind, who, subject } = entries[0] ?? assert.fail();
      assert.deepEqual([action, who_kind, subject], ['user.signed_in', 'operator', 'by Alpine ID']);
      assert.match(who, new RegExp(`<${email}>$`));
    });

    it('opens a support view, as with two factors', async () => {
      const { email } = await invitedOperator(service(), 'support');
      const { client } = await signIn({ sub: 'viewing', ...verified(email) });
      const view = new ConsoleClient(service().client);
      const code = await supportCode(client, await service().newMerchant());
      assert.equal((await view.post('/support-view', { code })).status, 200);
      assert.equal((await view.get('/overview')).status, 200);
    });

    it('is for that session only: a password still needs two factors', async () => {
      const { email, token } = await invitedOperator(service());
      await signIn({ sub: 'two-ways', ...verified(email) });
      const client = operatorClient(service());
      await client.post('/auth/reset-password', { token, newPassword: PASSWORD });
      await client.signIn(email);
      const session = (await client.get('/session')).json<ScreenSession>();
      assert.deepEqual([session.by_provider, session.two_factor_missing], [false, true]);
      assert.equal((await client.get('/operators')).status, 403);
      await enableTwoFactor(client);
      const audit = (await client.get('/audit')).json<OperatorAudit>();
      const ways = audit.entries.filter(({ action }) => action === 'user.signed_in');
      assert.equal(ways[0]?.subject, 'by password');
    });

    it('creates an operator by the claim of the role, and applies the claim at each sign-in', async () => {
      await invitedOperator(service(), 'admin');
      const account = { sub: 'claimed', ...verified('claimed@example.com'), name: 'Clara' };
      const { client } = await signIn({ ...account, tradepost_role: ['everyone', 'viewer', 'support'] });
      assert.equal(await roleOf(client), 'support');
      const { client: later } = await signIn({ ...account, tradepost_role: 'admin' });
      assert.equal(await roleOf(later), 'admin');
      assert.equal((await signIn({ ...account, tradepost_role: 'king' })).page, refused('no_access'));
      assert.equal((await signIn(account)).page, refused('no_access'));
      const { entries } = (await later.get('/audit')).json<OperatorAudit>();
      const [last, , changed] = entries;
      assert.deepEqual(
        [last?.action, last?.subject, changed?.action],
        ['user.sign_in_refused', 'by Alpine ID: neither invited nor allowed by a claim', 'user.signed_in'],
      );
      assert.ok(entries.some(({ action }) => action === 'user.created'));
      assert.ok(
        entries.some(({ subject }) => subject === 'Clara <claimed@example.com>, now admin, by Alpine ID'),
      );
    });

    it('needs no claim again once an admin has set the role', async () => {
      const { client: admin } = await signedInOperator(service());
      const account = { sub: 'changed', ...verified('changed@example.com') };
      await signIn({ ...account, tradepost_role: 'viewer' });
      const { operators } = (await admin.get('/operators')).json<OperatorList>();
      const { id } = operators.find(({ email }) => email === account.email) ?? assert.fail();
      assert.equal((await admin.post(`/operators/${id}`, { role: 'support' })).status, 200);
      const { client } = await signIn(account);
      assert.equal(await roleOf(client), 'support');
    });

    it('needs the claim after an invitation that states no role', async () => {
      const account = { sub: 'again', ...verified('again@example.com') };
      await signIn({ ...account, tradepost_role: 'support' });
      const context = { merchantId: OPERATOR_ID, who: OPERATOR, screenUrl: 'https://shop.example/operator' };
      await runVerb(service(), context, inviteOperator, { email: account.email, name: 'Ada' });
      assert.equal((await signIn(account)).page, refused('no_access'));
    });

    it('lets nobody in without an invitation, a claim, or a verified email', async () => {
      const stranger = { sub: 'stranger', ...verified('stranger@example.com') };
      assert.equal((await signIn(stranger)).page, refused('no_access'));
      const { email } = await invitedOperator(service());
      const unverified = { sub: 'unverified', email, email_verified: false };
      assert.equal((await signIn(unverified)).page, refused('email_unverified'));
      assert.equal(
        (await signIn({ sub: 'no-email', tradepost_role: 'admin' })).page,
        refused('email_unverified'),
      );
    });

    it('knows a person by the subject: the email may change, and belongs to one account only', async () => {
      const { email } = await invitedOperator(service(), 'viewer');
      await signIn({ sub: 'first', ...verified(email) });
      const { client, page } = await signIn({
        sub: 'first',
        email: 'new@example.com',
        email_verified: false,
      });
      assert.equal(page, '/operator/products');
      assert.equal((await client.get('/session')).json<ScreenSession>().user.email, email);
      const thief = { sub: 'thief', ...verified(email), tradepost_role: 'admin' };
      assert.equal((await signIn(thief)).page, refused('email_taken'));
      assert.equal(await roleOf(client), 'viewer');
      const { entries } = (await client.get('/audit')).json<OperatorAudit>();
      assert.equal(entries[0]?.subject, 'by Alpine ID: the email belongs to another account there');
    });

    it('starts anew after a reset, and ends with the operator', async () => {
      const { client: admin } = await signedInOperator(service());
      const { email } = await invitedOperator(service(), 'viewer');
      const { client } = await signIn({ sub: 'before', ...verified(email) });
      const { operators } = (await admin.get('/operators')).json<OperatorList>();
      const { id } = operators.find((operator) => operator.email === email) ?? assert.fail();
      assert.equal((await admin.post(`/operators/${id}/reset`)).status, 200);
      assert.equal((await client.get('/session')).status, 401);
      const { client: again } = await signIn({ sub: 'after', ...verified(email) });
      assert.equal(await roleOf(again), 'viewer');
      assert.equal((await admin.request('DELETE', `/operators/${id}`)).status, 200);
      assert.equal((await again.get('/session')).status, 401);
      assert.equal((await signIn('after')).page, refused('no_access'));
    });

    it('rejects the code of another browser’s sign-in, and a code that was used', async () => {
      const [{ email }, { email: other }] = [
        await invitedOperator(service()),
        await invitedOperator(service()),
      ];
      provider.account({ sub: 'victim', ...verified(email) });
      provider.account({ sub: 'attacker', ...verified(other) });
      const [client, attacker] = [operatorClient(service()), operatorClient(service())];
      const back = await callbackOf(provider, client, 'victim');
      const stolen = await callbackOf(provider, attacker, 'attacker');
      const code = back.searchParams.get('code') ?? assert.fail();
      stolen.searchParams.set('code', code);
      assert.equal(await openCallback(attacker, stolen), refused('expired'));
      assert.equal((await attacker.get('/session')).status, 401);
      assert.equal(await openCallback(client, back), '/operator/products');
      const replayed = await callbackOf(provider, attacker, 'attacker');
      replayed.searchParams.set('code', code);
      assert.equal(await openCallback(attacker, replayed), refused('expired'));
      assert.equal((await attacker.get('/session')).status, 401);
    });

    it('says that the person canceled', async () => {
      assert.equal((await signIn('')).page, refused('denied'));
    });

    it('says so if the provider is down, while passwords still work', async () => {
      const { client, email } = await signedInOperator(service());
      service().passTime(2 * 60 * 60_000);
      await provider.stop();
      try {
        const response = await operatorClient(service()).post('/auth/single-sign-on', {});
        assert.equal(response.status, 409, response.text);
        assert.equal(response.message, 'Alpine ID can’t be reached. Try again later.');
        assert.equal((await client.get('/operators')).status, 200);
        await operatorClient(service()).signIn(email);
      } finally {
        await provider.start();
      }
      const { page } = await signIn({ sub: 'back', ...verified((await invitedOperator(service())).email) });
      assert.equal(page, '/operator/products');
    });

    // The last test: passwords' sessions begin with the machine's clock.
    it('ends a session after twelve hours, even if it is used', async () => {
      const { email } = await invitedOperator(service());
      const { client } = await signIn({ sub: 'long', ...verified(email) });
      service().passTime(12 * 60 * 60_000);
      assert.equal((await client.get('/session')).status, 401);
    });
  });

  describe('single sign-on of operators without passwords', () => {
    const provider = useIdentityProvider({ OIDC_ONLY: 'on' });
    const service = useService(engine, { environment: provider.environment });
    beforeEach(() => service().passTime(61_000));
    const context = () => ({
      merchantId: OPERATOR_ID,
      who: OPERATOR,
      screenUrl: `${service().baseUrl}/operator`,
    });

    it('tells the pages', async () => {
      const options = (await operatorClient(service()).get('/options')).json<ScreenOptions>();
      assert.deepEqual(options.single_sign_on, { name: 'Alpine ID', only: true });
    });

    it('accepts no passwords and no links to set one', async () => {
      const { email, token } = await invitedOperator(service());
      const client = operatorClient(service());
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), {
        valid: false,
        joins: null,
      });
      const set = await client.post('/auth/reset-password', { token, newPassword: PASSWORD });
      assert.equal(set.status, 403, set.text);
      assert.equal(set.message, 'Passwords are off here. Sign in with Alpine ID.');
      const response = await client.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(response.status, 401, response.text);
    });

    it('accepts the password of an operator whom the command line has reset, until the next sign-in by the provider', async () => {
      const { email } = await invitedOperator(service());
      const reset = { email, allowsPassword: true };
      const { link } = await runVerb(service(), context(), resetOperator, reset);
      const client = operatorClient(service());
      const token = tokenOf(link);
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), {
        valid: true,
        joins: null,
      });
      assert.equal((await client.post('/auth/reset-password', { token, newPassword: PASSWORD })).status, 200);
      await client.signIn(email);
      assert.equal((await client.get('/operators')).status, 403);
      await enableTwoFactor(client);
      assert.equal((await client.get('/operators')).status, 200);

      provider.account({ sub: 'back-again', email, email_verified: true });
      const browser = operatorClient(service());
      const page = await openCallback(browser, await callbackOf(provider, browser, 'back-again'));
      assert.equal(page, '/operator/products');
      assert.equal((await client.get('/session')).status, 401);
      assert.equal((await browser.get('/session')).status, 200);
      const again = await operatorClient(service()).post('/auth/sign-in/email', {
        email,
        password: PASSWORD,
      });
      assert.equal(again.status, 401, again.text);
    });

    it('accepts the password of an operator whom the command line has invited', async () => {
      const input = { email: 'glass@example.com', name: 'Glass', allowsPassword: true };
      const { link } = await runVerb(service(), context(), inviteOperator, input);
      const client = operatorClient(service());
      const json = { token: tokenOf(link), newPassword: PASSWORD };
      assert.equal((await client.post('/auth/reset-password', json)).status, 200);
      await client.signIn(input.email);
    });
  });
});
