import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the merchants of the operator’s screen', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('creates a merchant with a key that works, finds it, invites a user, and suspends it', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/merchants');
    await visitor.sees('Merchants');
    await page.getByRole('button', { name: 'Create merchant' }).first().click();
    const dialog = page.getByRole('dialog');
    await visitor.field('Name').fill('Alpine Vases');
    await visitor.field('Email').fill('shop@alpine.example');
    await visitor.field('Currency').selectOption('EUR');
    await service().newMerchant();
    await visitor.field('ID').fill('1');
    await dialog.getByRole('button', { name: 'Create merchant' }).click();
    await visitor.reads('Another merchant has this ID.');
    visitor.expectFailure(404, '/operator/v1/merchants/seller-4711');
    await visitor.field('ID').fill('seller-4711');
    await dialog.getByRole('button', { name: 'Create merchant' }).click();
    await visitor.reads('Copy the token now.');
    const [token = '', command = ''] = await dialog.locator('pre').allInnerTexts();
    const words = `-H 'Authorization: Bearer ${token}' '${service().baseUrl}/account'`;
    assert.equal(command, `curl --cacert tradepost.pem ${words}`);
    assert.equal((await service().get('/account', { token })).status, 200);
    await visitor.press('Done');
    await visitor.sees('Alpine Vases');
    await visitor.reads('First key');
    await visitor.press('Invite user');
    await visitor.field('Email').fill('ada@alpine.example');
    await visitor.press('Invite');
    await visitor.reads('User invited');
    await visitor.press('Done');
    await visitor.reads('ada@alpine.example');
    await visitor.press('Change limits');
    visitor.expectFailure(400, '/operator/v1/merchants/seller-4711');
    await visitor.field('Rate limit').fill('many');
    await visitor.field('Product limit').fill('5000');
    await visitor.press('Save');
    await visitor.reads(/a whole number from 1/i);
    await inspectPage(visitor, 'operator-merchant-limits');
    await visitor.field('Rate limit').fill('600');
    await visitor.press('Save');
    await visitor.reads('600 requests a minute for each key');
    await visitor.reads('0 of at most 5,000');
    await inspectPage(visitor, 'operator-merchant');

    await visitor.follow('All merchants');
    await visitor.sees('Merchants');
    await visitor.field('Search merchants').fill('no such merchant');
    await visitor.reads('No matching merchants');
    await visitor.field('Search merchants').fill('ALPINE');
    await page.getByRole('link', { name: 'Alpine Vases' }).waitFor();
    assert.equal(visitor.address, '/merchants?query=ALPINE');
    await inspectPage(visitor, 'operator-merchants');

    await visitor.follow('Alpine Vases');
    await visitor.press('Suspend');
    await visitor.reads('Its keys are refused immediately');
    assert.equal(await visitor.focused(), 'Cancel');
    await visitor.field('Reason').fill('Orders were not shipped.');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await visitor.reads('Orders were not shipped.');
    assert.equal((await service().get('/account.json', { token })).status, 401);
    await visitor.press('Reactivate');
    await dialog.getByRole('button', { name: 'Reactivate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await page.getByRole('button', { name: 'Revoke First key' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await visitor.reads('Revoked');
    assert.equal((await service().get('/account.json', { token })).status, 401);

    await visitor.goTo('/audit');
    await visitor.field('Action').selectOption('Account suspended');
    const suspensions = page.getByRole('listitem').filter({ hasText: 'Account suspended' });
    await suspensions.getByRole('link', { name: 'Alpine Vases' }).waitFor();
    await visitor.field('Done by').selectOption('Commands');
    await visitor.reads('No such activity');
    await visitor.follow('Show all activity');
    await page.getByRole('listitem').filter({ hasText: 'Account created' }).first().waitFor();
    await inspectPage(visitor, 'operator-audit');
    await page.getByRole('link', { name: 'Alpine Vases' }).first().click();
    await visitor.sees('Alpine Vases');

    service().passTime(60 * 60 * 1000);
    await visitor.goTo('/');
    await visitor.reads('Nothing needs attention');
    await visitor.reads('Merchants with calls');
    await page.locator('summary', { hasText: 'Show the values of each hour' }).click();
    await page.getByRole('table', { name: 'Figures by hour' }).getByRole('row').nth(24).waitFor();
    await inspectPage(visitor, 'operator-overview');
    await visitor.field('Period').selectOption('Last 7 days');
    await page.locator('summary', { hasText: 'Show the values of each day' }).waitFor();
    assert.equal(visitor.address, '/?period=week');
    await visitor.follow('Failed calls');
    await visitor.sees('Calls');
    assert.equal(visitor.address, '/calls?hours=168');
  });

  it('offers no changes to a viewer, and to support suspension, limits and the console', async (t) => {
    const { id } = await service().newMerchant();
    for (const [role, buttons] of [
      ['viewer', []],
      ['support', ['Change limits', 'Suspend', 'View console']],
    ] as const) {
      const { client } = await signedInOperator(service(), role);
      const visitor = await open(t, { as: client, base: '/operator' });
      await visitor.goTo(`/merchants/${id}`);
      await visitor.reads('default');
      await visitor.reads('No users');
      const shown = await visitor.page.locator('#main').getByRole('button').allInnerTexts();
      assert.deepEqual(shown.sort(), buttons);
    }
  });
});
