import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { codeOfSecret } from '../support/totp.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import { inspectPage } from './inspect-page.ts';
import { choose, fill, untilFocused, untilFocusKept } from './keyboard.ts';

const NEW_PASSWORD = 'another horse entirely';

describeInBrowser('an account', () => {
  const service = useService(sqlite, { environment: { SELF_REGISTRATION: 'on' } });
  const open = useBrowser(service);
  // Sign-in attempts are limited per minute.
  beforeEach(() => service().passTime(61_000));

  it('can be registered if the operator allows it, and starts with steps for an empty shop', async (t) => {
    const visitor = await open(t);
    const { page } = visitor;
    await visitor.goTo('/sign-in');
    await visitor.follow('Register your shop');
    visitor.expectFailure(400, '/console/api/registration');
    await visitor.field('Shop name').fill('Corner shop');
    await visitor.field('Time zone').selectOption('Europe/Lisbon');
    await visitor.press('Register');
    await page.locator('[aria-invalid=true]').first().waitFor();
    assert.equal(await page.locator('[aria-invalid=true]').count(), 3);
    assert.equal(await visitor.field('Shop name').inputValue(), 'Corner shop');
    await visitor.field('Your name').fill('Cora');
    await visitor.field('Email').fill('cora@example.com');
    await visitor.field('Password').fill(PASSWORD);
    await visitor.press('Register');
    await visitor.sees('Overview');
    await visitor.reads('Stock looks good');
    for (const step of ['Import products', 'Create an API key', 'Make your first API request']) {
      await page.getByRole('heading', { name: step }).waitFor();
    }
    for (const [link, words] of [
      ['Products', 'No products yet'],
      ['Campaigns', 'No campaigns yet'],
      ['Sales', 'No sales yet'],
      ['API keys', 'No keys yet'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: link }).click();
      await visitor.reads(words);
    }
    await visitor.goTo('/account');
    await visitor.reads('Europe/Lisbon');
  });

  it('enables two-factor authentication, and then needs codes or recovery codes to sign in', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    const as = new ConsoleClient(service().client);
    await as.signIn(email);
    const visitor = await open(t, { as });
    const { page } = visitor;
    const wrong = (path: string): void => visitor.expectFailure(400, `/console/api/auth/two-factor/${path}`);
    await visitor.goTo('/account');
    await visitor.press('Enable');
    await visitor.field('Your password').fill('not my password');
    wrong('enable');
    await visitor.press('Continue');
    await visitor.reads('Incorrect password.');
    await visitor.field('Your password').fill(PASSWORD);
    await visitor.press('Continue');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await visitor.press('Copy secret');
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    await visitor.field('6-digit code').fill('000 000');
    wrong('verify-totp');
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await visitor.reads('That code isn’t right or was already used.');
    await visitor.field('6-digit code').fill(codeOfSecret(secret));
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await visitor.reads('Save these recovery codes.');
    const [recovery = ''] = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
    const download = page.waitForEvent('download');
    await visitor.follow('Download');
    assert.equal((await download).suggestedFilename(), 'tradepost-recovery-codes.txt');
    await visitor.press('I’ve saved them');
    await page.getByRole('button', { name: 'Create recovery codes' }).waitFor();

    await visitor.press('Sign out everywhere');
    await visitor.signIn(email, PASSWORD);
    await visitor.field('Authentication code').fill(codeOfSecret(secret, 1));
    await visitor.press('Continue');
    await visitor.sees('Overview');
    await visitor.goTo('/account');
    await visitor.press('Sign out everywhere');
    for (const accepted of [true, false]) {
      await visitor.signIn(email, PASSWORD);
      await visitor.press('Use a recovery code');
      if (!accepted) wrong('verify-backup-code');
      await visitor.field('Recovery code').fill(recovery);
      await visitor.press('Continue');
      if (!accepted) break;
      await visitor.sees('Overview');
      await visitor.goTo('/account');
      await visitor.press('Sign out everywhere');
    }
    await visitor.reads('That recovery code isn’t right or was already used.');
  });

  it('ends sessions, changes the password and sets up two factors with the keyboard alone, and the focus stays', async (t) => {
    const merchant = await service().newMerchant();
    const { email } = await newUser(service(), merchant);
    const [as, ...others] = [1, 2, 3].map(() => new ConsoleClient(service().client));
    assert.ok(as !== undefined);
    for (const [index, client] of others.entries()) {
      const headers = {
        'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${index === 0 ? 'Firefox' : 'Edg'}/150.0`,
      };
      await client.request('POST', '/auth/sign-in/email', { json: { email, password: PASSWORD }, headers });
    }
    await as.signIn(email);
    const visitor = await open(t, { as });
    const { page } = visitor;
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    await visitor.goTo('/account');
    await sessions.nth(2).waitFor();
    const own = sessions.filter({ hasText: 'This session' });
    assert.equal(await own.count(), 1);
    assert.equal(await own.getByRole('button').count(), 0);
    const statuses = (): Promise<number[]> =>
      Promise.all([as, ...others].map(async (client) => (await client.get('/session')).status));
    await choose(visitor, 'End session of Firefox on Linux');
    await visitor.reads('Session ended.');
    await sessions.nth(2).waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
    assert.deepEqual(await statuses(), [200, 401, 200]);
    await choose(visitor, 'End all other sessions');
    await visitor.reads('All other sessions ended.');
    await sessions.nth(1).waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
    assert.deepEqual(await statuses(), [200, 401, 401]);

    visitor.expectFailure(400, '/console/api/auth/change-password');
    await fill(visitor, 'Current password', 'not my password');
    await fill(visitor, 'New password', NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await visitor.reads('Incorrect password.');
    assert.equal(await visitor.field('Current password').getAttribute('aria-invalid'), 'true');
    await fill(visitor, 'Current password', PASSWORD);
    await page.keyboard.press('Enter');
    await visitor.reads('Password changed.');
    await untilFocusKept(visitor);
    assert.equal(await visitor.field('New password').inputValue(), '');
    await page.reload();
    await visitor.reads('This session');
    assert.deepEqual(await statuses(), [401, 401, 401]);
    await as.signIn(email, NEW_PASSWORD);

    await choose(visitor, 'Enable');
    await untilFocused(visitor, 'Your password');
    await page.keyboard.type(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await untilFocusKept(visitor);
    const secret = (await page.getByRole('dialog').locator('pre').innerText()).trim();
    await fill(visitor, '6-digit code', codeOfSecret(secret));
    await choose(visitor, 'Enable');
    await visitor.reads('Save these recovery codes.');
    await untilFocusKept(visitor);
    await choose(visitor, 'I’ve saved them');
    await page.getByRole('button', { name: 'Create recovery codes' }).waitFor();
    await untilFocusKept(visitor);
    await choose(visitor, 'Disable');
    await untilFocused(visitor, 'Your password');
    await page.keyboard.type(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await untilFocusKept(visitor);
  });
});

describeInBrowser('an account where two-factor authentication is required', () => {
  const service = useService(sqlite, { environment: { REQUIRE_TWO_FACTOR: 'on' } });
  const open = useBrowser(service);

  it('must set it up before anything else', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Account');
    await visitor.reads(
      'Your marketplace operator requires two-factor authentication. Set it up to continue.',
    );
    for (const link of ['Products', 'API keys']) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: link }).click();
      await visitor.sees('Account');
    }
    assert.equal(await page.getByRole('region', { name: 'Sessions' }).count(), 0);
    await inspectPage(visitor, 'two-factor-required');
    await enableTwoFactor(visitor, PASSWORD);
    await page.getByRole('region', { name: 'Sessions' }).waitFor();
    await visitor.follow('Products');
    await visitor.reads('No products yet');
  });
});
