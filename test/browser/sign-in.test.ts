import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';

const HOUR_MS = 3_600_000;

describeInBrowser('signing in', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  // Sign-in attempts are limited per minute.
  beforeEach(() => service().passTime(61_000));

  const newLink = async (email: string, now = service().now()): Promise<string> => {
    const { id: merchantId } = await service().newMerchant();
    const user = { merchantId, email, name: 'New' };
    const { token } = await inviteUser({ database: service().database, now: () => now }, user);
    return `/set-password#token=${token}`;
  };

  it('rejects a wrong password, keeps the email, and leads to the requested page', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    const visitor = await open(t);
    visitor.expectFailure(401, '/console/api/session');
    await visitor.goTo('/products?status=sold_out');
    await visitor.sees('Sign in');
    visitor.expectFailure(401, '/console/api/auth/sign-in/email');
    await visitor.signIn(email, 'not my password');
    await visitor.reads('Incorrect email or password.');
    assert.equal(await visitor.field('Email').inputValue(), email);
    await visitor.field('Password').fill(PASSWORD);
    await visitor.press('Sign in');
    await visitor.sees('Products');
    assert.equal(visitor.address, '/products?status=sold_out');
  });

  it('redirects only to pages of the console, for any value of `next`', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    const visitor = await open(t);
    const away = [
      'https://elsewhere.example/',
      '//elsewhere.example/',
      'javascript:alert(1)',
      '/\t/elsewhere.example',
    ];
    for (const next of away) {
      await visitor.goTo(`/sign-in?${new URLSearchParams({ next })}`);
      await visitor.signIn(email, PASSWORD);
      await visitor.page
        .getByRole('navigation')
        .or(visitor.page.getByText('Check the address.'))
        .first()
        .waitFor();
      assert.ok(visitor.page.url().startsWith(`${visitor.origin}/console`), visitor.page.url());
      await visitor.context.clearCookies();
    }
  });

  it('works with the keyboard alone', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    const visitor = await open(t);
    const { keyboard } = visitor.page;
    await visitor.goTo('/sign-in');
    await visitor.sees('Sign in');
    await keyboard.press('Tab');
    assert.equal(await visitor.focused(), 'Email');
    await keyboard.type(email);
    await keyboard.press('Tab');
    assert.equal(await visitor.focused(), 'Password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await visitor.sees('Overview');
    await keyboard.press('Tab');
    assert.equal(await visitor.focused(), 'Skip to content');
    await keyboard.press('Enter');
    assert.equal(await visitor.page.evaluate('document.activeElement.id'), 'main');
  });

  it('sets a password with a link, once', async (t) => {
    const link = await newLink('new@example.com');
    const visitor = await open(t);
    await visitor.goTo(link);
    visitor.expectFailure(400, '/console/api/auth/reset-password');
    await visitor.field('Password').fill('short');
    await visitor.press('Set password');
    await visitor.page.locator('[aria-invalid=true]').waitFor();
    assert.equal(await visitor.page.getByText('Use at least 10 characters.').count(), 1);
    await visitor.field('Password').fill(PASSWORD);
    await visitor.press('Set password');
    await visitor.sees('Your password is set');
    await visitor.page.reload();
    await visitor.sees('This link has expired or was already used');
    await visitor.follow('Back to sign in');
    await visitor.signIn('new@example.com', PASSWORD);
    await visitor.sees('Overview');
  });

  it('rejects a link that was used while its page was open', async (t) => {
    const link = await newLink('twice@example.com');
    const visitor = await open(t);
    await visitor.goTo(link);
    await visitor.field('Password').fill(PASSWORD);
    const elsewhere = new ConsoleClient(service().client);
    const used = { token: link.split('=').at(-1), newPassword: PASSWORD };
    assert.equal((await elsewhere.post('/auth/reset-password', used)).status, 200);
    visitor.expectFailure(400, '/console/api/auth/reset-password');
    await visitor.press('Set password');
    await visitor.sees('This link has expired or was already used');
  });

  it('says on load, without a password, that a link has expired or has no token', async (t) => {
    const link = await newLink('late@example.com', Date.now() - 73 * HOUR_MS);
    const visitor = await open(t);
    await visitor.goTo(link);
    await visitor.sees('This link has expired or was already used');
    await visitor.goTo('/set-password');
    await visitor.sees('This link has expired or was already used');
  });

  it('with a passkey is refused with the reason at an IP address', async (t) => {
    const visitor = await open(t);
    await visitor.goTo('/sign-in');
    await visitor.press('Sign in with a passkey');
    await visitor.reads('Passkeys don’t work at an IP address. Open this page by its name.');
  });

  it('offers no registration if only the operator creates accounts', async (t) => {
    const visitor = await open(t);
    await visitor.goTo('/register');
    await visitor.sees('Registration is closed');
    await visitor.follow('Back to sign in');
    await visitor.sees('Sign in');
    assert.equal(await visitor.page.getByText('No account yet?').count(), 0);
  });

  it('ends one session at sign-out, or all sessions on request', async (t) => {
    const merchant = await service().newMerchant();
    const one = await signedIn(service(), merchant);
    const visitor = await open(t, { as: one });
    await visitor.goTo('/account');
    await visitor.sees('Account');
    await visitor.press('Sign out everywhere');
    await visitor.sees('Sign in');
    assert.equal((await one.get('/session')).status, 401);

    const { email } = await newUser(service(), merchant);
    const clients = [new ConsoleClient(service().client), new ConsoleClient(service().client)] as const;
    for (const client of clients) await client.signIn(email);
    const here = await open(t, { as: clients[0] });
    await here.goTo('/');
    await here.sees('Overview');
    await here.page.getByRole('button', { name: email }).click();
    await here.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await here.sees('Sign in');
    await here.page.goBack();
    await here.sees('Sign in');
    assert.equal((await clients[1].get('/session')).status, 200);
  });
});
