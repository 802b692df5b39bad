import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConsoleSession, TeamInvitation } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';
import { inspectPage, SIZES, SOME_THEMES } from './inspect-page.ts';

const NEW_PASSWORD = 'another horse entirely';

describeInBrowser('a person with several shops', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  /** An owner of two shops, in the first one, and the names of both. */
  const newPerson = async () => {
    const [first, second] = [await service().newMerchant(), await service().newMerchant()];
    const { email } = await newUser(service(), first);
    await newUser(service(), second);
    const as = new ConsoleClient(service().client);
    await as.signIn(email);
    const { token } = await inviteUser(service(), { merchantId: second.id, email, name: 'Invited' });
    await as.post('/invitations/accept', { token });
    const { shops, ...session } = (
      await as.post('/session/shop', { merchant_id: first.id })
    ).json<ConsoleSession>();
    const other = shops.find(({ id }) => id === second.id)?.name ?? assert.fail('one shop');
    return { as, email, first, second, names: [session.merchant.name, other] as const };
  };

  it('switches in the account menu and in the palette, and signs in to the last shop', async (t) => {
    const { as, email, names } = await newPerson();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const shop = (name: string) => page.getByRole('navigation', { name: 'Console' }).getByText(name);
    await visitor.goTo('/products');
    await shop(names[0]).waitFor();
    await page.getByRole('button', { name: email }).click();
    await page.getByRole('menuitem', { name: `Switch to ${names[1]}` }).waitFor();
    await inspectPage(visitor, 'shops-menu', SOME_THEMES);
    await page.getByRole('menuitem', { name: `Switch to ${names[1]}` }).click();
    await shop(names[1]).waitFor();
    await visitor.sees('Overview');
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('switch');
    await page.getByRole('option', { name: `Switch to ${names[0]}` }).waitFor();
    await inspectPage(visitor, 'shops-palette');
    await page.keyboard.press('Enter');
    await shop(names[0]).waitFor();

    service().passTime(61_000);
    const later = await open(t);
    await later.goTo('/sign-in');
    await later.signIn(email, PASSWORD);
    await later.sees('Overview');
    await later.page.getByRole('navigation', { name: 'Console' }).getByText(names[0]).waitFor();
  });

  it('is asked in a tab of another shop, whose input goes nowhere else', async (t) => {
    const { as, names } = await newPerson();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/settings');
    await visitor.field('Shop name').fill('Renamed here');
    const other = await visitor.context.newPage();
    await other.goto(`${visitor.origin}/console/`);
    await other.locator('#root > [inert]').waitFor({ state: 'detached' });
    await other.keyboard.press('Control+K');
    await other.getByRole('dialog').waitFor();
    await other.keyboard.type(`switch to ${names[1]}`);
    await other.getByRole('option', { name: `Switch to ${names[1]}` }).click();
    await other.getByRole('navigation', { name: 'Console' }).getByText(names[1]).waitFor();

    const dialog = page.getByRole('dialog', { name: `You switched to ${names[1]} in another tab` });
    await dialog.waitFor();
    await page.bringToFront();
    await inspectPage(visitor, 'shops-other-tab');
    await visitor.press(`Switch back to ${names[0]}`);
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await visitor.field('Shop name').inputValue(), 'Renamed here');
    await other.getByRole('dialog', { name: `You switched to ${names[0]} in another tab` }).waitFor();
    await visitor.press('Save');
    await visitor.page.getByRole('navigation', { name: 'Console' }).getByText('Renamed here').waitFor();
  });

  it('is asked when a call of the page is refused, if no tab has told', async (t) => {
    const { as, second, names } = await newPerson();
    const visitor = await open(t, { as });
    await visitor.goTo('/settings');
    await visitor.field('Shop name').fill('Renamed here');
    await as.post('/session/shop', { merchant_id: second.id });
    visitor.expectFailure(409, '/console/api/shop');
    await visitor.press('Save');
    await visitor.page.getByRole('dialog', { name: `You switched to ${names[1]} in another tab` }).waitFor();
    await visitor.press(`Continue with ${names[1]}`);
    await visitor.sees('Overview');
    await visitor.page.getByRole('navigation', { name: 'Console' }).getByText(names[1]).waitFor();
    assert.equal((await as.get('/session')).json<ConsoleSession>().merchant.name, names[1]);
  });

  it('joins another shop with the existing password', async (t) => {
    const { email } = await newUser(service(), await service().newMerchant());
    const owner = await signedIn(service(), await service().newMerchant());
    const { name } = (await owner.get('/session')).json<ConsoleSession>().merchant;
    const invited = await owner.post('/team', { email, name: 'Invited', role: 'viewer' });
    const link = new URL(invited.json<TeamInvitation>().set_password_url ?? '');
    const visitor = await open(t, { context: { viewport: SIZES.phone } });
    visitor.expectFailure(401, '/console/api/session');
    await visitor.goTo(`/set-password${link.hash}`);
    await visitor.sees(`Join ${name}`);
    await inspectPage(visitor, 'join-shop');
    await visitor.signIn(email, PASSWORD);
    await visitor.sees('Overview');
    await visitor.press('Open menu');
    await visitor.page.getByRole('navigation', { name: 'Console' }).getByText(name).waitFor();
    const again = await open(t);
    await again.goTo(`/set-password${link.hash}`);
    await again.sees('This link has expired or was already used');
  });

  it('joins another shop with a new password, if an owner saw the link that set the old one', async (t) => {
    const email = 'seen-by-an-owner@example.com';
    const invite = async (): Promise<{ name: string; link: string }> => {
      const owner = await signedIn(service(), await service().newMerchant());
      const { name } = (await owner.get('/session')).json<ConsoleSession>().merchant;
      const invited = await owner.post('/team', { email, name: 'Invited', role: 'viewer' });
      return { name, link: invited.json<TeamInvitation>().set_password_url ?? '' };
    };
    const first = await invite();
    const as = new ConsoleClient(service().client);
    await as.post('/auth/reset-password', { token: tokenOf(first.link), newPassword: PASSWORD });
    await as.signIn(email);
    const { name, link } = await invite();
    service().passTime(61_000);
    const visitor = await open(t, { as });
    await visitor.goTo(`/set-password${new URL(link).hash}`);
    await visitor.sees(`Join ${name}`);
    await visitor.press(`Join ${name}`);
    await visitor.sees(`Set a new password to join ${name}`);
    await inspectPage(visitor, 'join-shop-new-password');
    await visitor.field('Password').fill(NEW_PASSWORD);
    await visitor.press('Set password');
    await visitor.sees('Your password is set');
    await visitor.page.getByRole('link', { name: 'Sign in' }).click();
    await visitor.signIn(email, NEW_PASSWORD);
    await visitor.sees('Overview');
    await visitor.page.getByRole('navigation', { name: 'Console' }).getByText(name).waitFor();
  });
});
