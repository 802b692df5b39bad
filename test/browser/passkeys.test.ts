import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { HOST, ORIGIN } from '../support/passkeys.ts';
import { useService } from '../support/service.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';

const BUTTON = 'Sign in with a passkey';

/** Gives the visitor's window an authenticator, such as a laptop with a fingerprint reader. */
async function plugIn({ context, page }: Visitor, { verifies = true } = {}) {
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return {
    unplug: () => devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    setVerifies: (isUserVerified: boolean) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether it waits for the user to choose a passkey. */
    setPresence: (enabled: boolean) =>
      devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

async function addPasskey(visitor: Visitor, name: string): Promise<void> {
  await visitor.press('Add a passkey');
  await visitor.field('Name').fill(name);
  await visitor.field('Your password').fill(PASSWORD);
  await visitor.press('Continue');
  await visitor.reads('Passkey added.');
}

describeInBrowser('passkeys', () => {
  const service = useService(sqlite, { environment: { PUBLIC_URL: ORIGIN } });
  const open = useBrowser(service, { atPublicUrl: true });
  beforeEach(() => service().passTime(61_000));

  it('are added on the account page, and sign in with one button', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    const device = await plugIn(visitor);
    await visitor.goTo('/account');
    await visitor.press('Add a passkey');
    visitor.expectFailure(400, '/console/api/auth/passkeys/options');
    await visitor.field('Your password').fill('not my password');
    await visitor.press('Continue');
    await visitor.reads('Incorrect password.');
    await inspectPage(visitor, 'passkey-add');
    await visitor.press('Cancel');
    await addPasskey(visitor, 'Ada’s laptop');
    const list = page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
    assert.match(await list.innerText(), /^Ada’s laptop\s+Added .*, not used yet/);
    await page.getByRole('button', { name: 'Rename Ada’s laptop' }).click();
    await visitor.field('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await list.getByText('Old laptop', { exact: true }).first().waitFor();
    await inspectPage(visitor, 'passkeys', SOME_THEMES);
    await visitor.press('Add a passkey');
    await visitor.field('Your password').fill(PASSWORD);
    await visitor.press('Continue');
    await visitor.reads('This device already has a passkey for your account.');
    await visitor.press('Cancel');

    await device.setPresence(false);
    await visitor.press('Sign out everywhere');
    await visitor.sees('Sign in');
    await inspectPage(visitor, 'passkey-sign-in', SOME_THEMES);
    await device.setPresence(true);
    await visitor.press(BUTTON);
    await visitor.sees('Overview');
    await visitor.goTo('/account');
    await list.getByText(/last used/).waitFor();
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await visitor.reads('Passkey removed.');
    assert.equal(await list.count(), 0);
    await device.setPresence(false);
    await visitor.press('Sign out everywhere');
    await visitor.sees('Sign in');
    await device.setPresence(true);
    visitor.expectFailure(401, '/console/api/auth/sign-in/passkey');
    await visitor.press(BUTTON);
    await visitor.reads('This passkey can’t sign you in here.');
  });

  it('are offered by the browser in the list of the email field', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await plugIn(visitor);
    await visitor.goTo('/account');
    await addPasskey(visitor, 'Laptop');
    // The virtual authenticator chooses what a person would choose from the list.
    await visitor.press('Sign out everywhere');
    await visitor.sees('Overview');
  });

  it('sign in again after the session has expired, and say if the page cannot go on', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    await plugIn(visitor);
    await visitor.goTo('/account');
    await addPasskey(visitor, 'Laptop');
    await visitor.context.clearCookies();
    visitor.expectFailure(401, '/console/api/overview');
    await visitor.follow('Overview');
    await visitor.reads('Your session has expired');
    const session = '**/console/api/session';
    await visitor.page.route(session, (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken.' } }),
    );
    visitor.expectFailure(500, '/console/api/session');
    await visitor.press(BUTTON);
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByText('Broken.').waitFor();
    await visitor.page.unroute(session);
    await visitor.press(BUTTON);
    await visitor.sees('Overview');
    await dialog.waitFor({ state: 'detached' });
  });

  it('sign operators in without a code', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const device = await plugIn(visitor);
    await visitor.goTo('/account');
    await addPasskey(visitor, 'Laptop');
    await device.setPresence(false);
    await visitor.press('Sign out everywhere');
    await visitor.sees('Sign in');
    await inspectPage(visitor, 'passkey-operator-sign-in');
    await device.setPresence(true);
    await visitor.press(BUTTON);
    await visitor.sees('Overview');
    assert.ok(visitor.page.url().startsWith(`https://${HOST}/operator`), visitor.page.url());
  });

  it('say what went wrong if the browser makes none, or the user is not verified', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await plugIn(visitor, { verifies: false });
    await visitor.goTo('/account');
    await visitor.press('Add a passkey');
    await visitor.field('Your password').fill(PASSWORD);
    await visitor.press('Continue');
    await visitor.reads('No passkey was added. Try again.');
  });
});
