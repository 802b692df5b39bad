import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { resetOperator } from '../../src/operators/invite-operator.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { newUser, PASSWORD } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useIdentityProvider } from '../support/identity-provider.ts';
import { invitedOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';
import { inspectPage } from './inspect-page.ts';

const BUTTON = 'Sign in with Alpine ID';

/** Signs in at the provider, as its user. */
async function signInAs(visitor: Visitor, account: string): Promise<void> {
  const { page } = visitor;
  visitor.expectProblem(/^request to another origin: http:\/\/127\.0\.0\.1:/);
  await visitor.press(BUTTON);
  await page.getByLabel('Your account').fill(account);
  await visitor.press('Continue');
}

describeInBrowser('single sign-on', () => {
  const provider = useIdentityProvider();
  const service = useService(sqlite, { environment: provider.environment });
  const open = useBrowser(service);
  beforeEach(() => service().passTime(61_000));

  it('leads an operator to the requested page, whose account needs no password', async (t) => {
    const { email } = await invitedOperator(service());
    provider.account({ sub: 'ada', email, email_verified: true, name: 'Ada' });
    const visitor = await open(t, { base: '/operator' });
    visitor.expectFailure(401, '/operator/api/session');
    await visitor.goTo('/merchants?state=suspended');
    await visitor.sees('Sign in');
    await visitor.page.getByRole('button', { name: BUTTON }).waitFor();
    await inspectPage(visitor, 'operator-single-sign-on');
    await signInAs(visitor, 'ada');
    await visitor.sees('Merchants');
    assert.equal(visitor.address, '/merchants?state=suspended');
    await visitor.goTo('/account');
    await visitor.reads('You signed in with Alpine ID.');
    await inspectPage(visitor, 'operator-account-single-sign-on');
    assert.equal(await visitor.page.getByText('Change password').count(), 0);
    await visitor.goTo('/audit');
    await visitor.reads('by Alpine ID');
  });

  it('signs in a merchant’s user, again after the session has expired', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    provider.account({ sub: 'mia', email, email_verified: true });
    const visitor = await open(t);
    visitor.expectFailure(401, '/console/api/session');
    await visitor.goTo('/keys');
    await visitor.sees('Sign in');
    await signInAs(visitor, 'mia');
    await visitor.sees('API keys');
    await visitor.page.getByRole('cell', { name: 'default' }).first().waitFor();
    const cookies = await visitor.context.cookies();
    await visitor.context.clearCookies();
    visitor.expectFailure(401, '/console/api/overview');
    await visitor.follow('Overview');
    await visitor.reads('Your session has expired');
    await inspectPage(visitor, 'session-expired-single-sign-on');
    await visitor.page.getByRole('link', { name: `${BUTTON} in a new tab` }).waitFor();
    // As if another tab had signed in.
    await visitor.context.addCookies(cookies);
    await visitor.press('Continue');
    await visitor.sees('Overview');
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('accepts the invitation of a person who then needs no password', async (t) => {
    const [email, name] = ['nina@example.com', 'Nina'];
    const { id: merchantId } = await service().newMerchant();
    const { token } = await inviteUser(service(), { merchantId, email, name });
    provider.account({ sub: 'nina', email, email_verified: true });
    const visitor = await open(t);
    await visitor.goTo(`/set-password#token=${token}`);
    await visitor.sees('Set your password');
    await visitor.reads('or without a password');
    await inspectPage(visitor, 'set-password-single-sign-on');
    await signInAs(visitor, 'nina');
    await visitor.sees('Overview');
  });

  it('says why nobody was signed in', async (t) => {
    provider.account({ sub: 'stranger', email: 'stranger@example.com', email_verified: true });
    const visitor = await open(t);
    await visitor.goTo('/sign-in');
    await signInAs(visitor, 'stranger');
    await visitor.reads('Alpine ID knows you, but you have no access here. Ask for an invitation.');
    await inspectPage(visitor, 'single-sign-on-refused');
    await provider.stop();
    try {
      service().passTime(2 * 60 * 60_000);
      visitor.expectFailure(409, '/console/api/auth/single-sign-on');
      await visitor.press(BUTTON);
      await visitor.reads('Alpine ID can’t be reached. Try again later.');
    } finally {
      await provider.start();
    }
    const { email } = await newUser(service(), await service().newMerchant());
    await visitor.signIn(email, PASSWORD);
    await visitor.sees('Overview');
  });
});

describeInBrowser('single sign-on without passwords', () => {
  const provider = useIdentityProvider({ OIDC_ONLY: 'on', MERCHANT_OIDC_ONLY: 'on' });
  const service = useService(sqlite, { environment: provider.environment });
  const open = useBrowser(service);

  it('tells an invited person that no password is needed, and accepts the invitation', async (t) => {
    const [email, name] = ['olga@example.com', 'Olga'];
    const { id: merchantId } = await service().newMerchant();
    const { token } = await inviteUser(service(), { merchantId, email, name });
    provider.account({ sub: 'olga', email, email_verified: true });
    const visitor = await open(t);
    await visitor.goTo(`/join#token=${token}`);
    await visitor.sees('No password is needed');
    await visitor.reads('If you were invited, this accepts the invitation');
    await inspectPage(visitor, 'no-password-needed');
    await signInAs(visitor, 'olga');
    await visitor.sees('Overview');
  });

  it('shows nothing else, but lets in whom the command line has reset', async (t) => {
    const { email } = await invitedOperator(service());
    const visitor = await open(t, { base: '/operator' });
    await visitor.goTo('/sign-in');
    await visitor.page.getByRole('button', { name: BUTTON }).waitFor();
    await visitor.field('Password').waitFor({ state: 'detached' });
    await inspectPage(visitor, 'operator-single-sign-on-only');

    const context = {
      ...{ merchantId: OPERATOR_ID, who: OPERATOR },
      screenUrl: `${service().baseUrl}/operator`,
    };
    const reset = { email, allowsPassword: true };
    const { link } = await runVerb(service(), context, resetOperator, reset);
    await visitor.goTo(`/set-password${new URL(link).hash}`);
    await visitor.field('Password').fill(PASSWORD);
    await visitor.press('Set password');
    await visitor.follow('Sign in');
    await visitor.signIn(email, PASSWORD);
    await visitor.sees('Account');
    await visitor.reads('All operators need two-factor authentication.');
  });
});
