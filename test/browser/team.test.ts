import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TeamList } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { ConsoleClient, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';
import { choose, tabTo } from './keyboard.ts';

describeInBrowser('the team page', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  const membersOf = async (client: ConsoleClient): Promise<TeamList['members']> =>
    (await client.get('/team')).json<TeamList>().members;

  it('invites a colleague as viewer with the keyboard alone, whose pages offer no changes', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    await as.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/team');
    await visitor.reads('You');
    await choose(visitor, 'Invite user');
    await page.getByRole('dialog').waitFor();
    assert.equal(await visitor.focused(), 'Name *');
    await page.keyboard.type('Vera');
    await tabTo(visitor, 'Email *');
    await page.keyboard.type('vera@example.com');
    await tabTo(visitor, 'Editor');
    await page.keyboard.press('ArrowDown');
    assert.equal(await visitor.focused(), 'Viewer');
    await page.keyboard.press('Enter');
    const link = new URL(await page.getByRole('dialog').locator('pre').innerText());
    await choose(visitor, 'Done');
    const row = page.getByRole('row').filter({ hasText: 'vera@example.com' });
    await row.getByText('Invited').waitFor();
    await row.getByRole('cell', { name: 'Viewer' }).waitFor();

    const invited = new ConsoleClient(service().client);
    const set = await invited.post('/auth/reset-password', { token: tokenOf(link), newPassword: PASSWORD });
    assert.equal(set.status, 200, set.text);
    await invited.signIn('vera@example.com');
    const vera = await open(t, { as: invited });
    const main = vera.page.locator('#main');
    const offersNo = async (notice: string, button: string): Promise<void> => {
      await vera.reads(notice);
      await main.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      assert.equal(await main.getByText(button, { exact: true }).count(), 0, `${button}: ${notice}`);
    };
    await vera.goTo('/products/import');
    await offersNo('Only owners and editors can upload and import files.', 'Choose file');
    const menu = vera.page.getByRole('navigation', { name: 'Console' });
    for (const [link, notice, button] of [
      ['Products', 'Only owners and editors can change products. You are a viewer.', 'Upload file'],
      ['API keys', 'Only owners can create, rotate, and revoke keys.', 'Create key'],
      ['Webhooks', 'Only owners can add and change webhooks.', 'Add webhook'],
      ['Team', 'Only owners can invite, change, and remove users.', 'Invite user'],
      ['Shop settings', 'Only owners can change the settings of the shop.', 'Save'],
      ['Campaigns', 'Only owners and editors can create and change campaigns.', 'Create campaign'],
    ] as const) {
      await menu.getByRole('link', { name: link }).click();
      await offersNo(notice, button);
    }
    await vera.follow('Spring');
    await vera.sees('Spring');
    await vera.reads('Only owners and editors can change campaigns.');
    for (const name of ['Pause', 'Edit', 'Duplicate', 'End'])
      assert.equal(await vera.page.getByRole('button', { name, exact: true }).count(), 0);
    await vera.goTo('/account');
    await vera.reads('Your role');
  });

  it('shows the errors of the server at the fields of an invitation', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await visitor.goTo('/team');
    await visitor.press('Invite user');
    visitor.expectFailure(400, '/console/api/team');
    await visitor.press('Invite');
    await visitor.reads('Enter a name.');
    await visitor.reads('Enter an email.');
    await visitor.field('Name').fill('Vera');
    await visitor.field('Email').fill('vera');
    await visitor.press('Invite');
    await visitor.reads('"vera" is not an email address.');
    await visitor.page.keyboard.press('Escape');
    assert.equal(await visitor.focused(), 'Invite user');
  });

  it('resends invitations, changes roles and removes users with the keyboard alone', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const member = await signedIn(service(), merchant, 'editor');
    await as.post('/team', { email: 'late@example.com', name: 'Late', role: 'viewer' });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/team');
    await visitor.reads('late@example.com');
    await choose(visitor, 'Resend invitation for Late');
    await page.getByRole('dialog').waitFor();
    await choose(visitor, 'Resend invitation');
    await page.getByRole('dialog').locator('pre').waitFor();
    await choose(visitor, 'Done');

    const [editor] = (await membersOf(as)).filter(({ role }) => role === 'editor');
    assert.ok(editor !== undefined);
    const row = page.getByRole('row').filter({ hasText: editor.email });
    await choose(visitor, `Change role of ${editor.name}`);
    await page.getByRole('dialog').waitFor();
    await tabTo(visitor, 'Editor');
    await page.keyboard.press('ArrowUp');
    await choose(visitor, 'Change role');
    await row.getByRole('cell', { name: 'Owner' }).waitFor();
    assert.equal((await member.post('/team/two-factor', { required: false })).status, 200);

    await choose(visitor, `Remove ${editor.name}`);
    await visitor.reads('is signed out everywhere');
    assert.equal(await visitor.focused(), 'Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await visitor.focused(), `Remove ${editor.name}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await choose(visitor, 'Remove user');
    await row.waitFor({ state: 'detached' });
    assert.equal((await member.get('/session')).status, 401);
  });

  it('requires two-factor authentication, which users then set up before anything else', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const member = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    const early = await open(t, { as });
    await early.goTo('/team');
    await early.reads('Then you can require it.');
    // This also replaces the session.
    await enableTwoFactor(as);
    const visitor = await open(t, { as });
    await visitor.goTo('/team');
    await visitor.page.getByRole('button', { name: 'Require for everyone' }).waitFor();
    await choose(visitor, 'Require for everyone');
    for (const next of ['Make optional', 'Require for everyone']) {
      await visitor.page.getByRole('button', { name: next }).waitFor();
      assert.equal(await visitor.focused(), next);
      await visitor.page.keyboard.press('Enter');
    }
    await visitor.page.getByRole('button', { name: 'Make optional' }).waitFor();
    await member.goTo('/products');
    await member.sees('Account');
    await member.reads('An owner of your shop requires two-factor authentication. Set it up to continue.');
    await visitor.goTo('/account');
    await visitor.reads('An owner of your shop requires it.');
    assert.equal(await visitor.page.getByRole('button', { name: 'Disable' }).count(), 0);
  });
});
