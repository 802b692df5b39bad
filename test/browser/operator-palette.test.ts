import { it } from 'node:test';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { invitedOperator, signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the palette of the operator’s screen', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('finds merchants, pages, and actions by keyboard alone', async (t) => {
    for (const name of ['Alpine Vases', 'Alpine Pots', 'Coast Jugs'])
      await createMerchant(service(), { name, email: null, timeZone: 'UTC' });
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    const palette = page.getByRole('combobox', { name: 'Merchant, page, or action' });
    const enter = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.waitFor();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
    };
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await enter('alp', /^Alpine/);
    await page.getByRole('option', { name: /^Alpine Pots/ }).waitFor();
    await inspectPage(visitor, 'operator-palette');
    await page.keyboard.type('ine v');
    await page.getByRole('option', { name: /^Alpine Vases/, selected: true }).waitFor();
    await page.getByRole('option', { name: /^Alpine Pots/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await visitor.sees('Alpine Vases');
    await enter('audit', 'Audit log');
    await page.keyboard.press('Enter');
    await visitor.sees('Audit log');
    await enter('suspended', 'Show suspended merchants');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/merchants\?state=suspended$/);
    await enter('create', 'Create merchant');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create merchant' }).waitFor();
    await until(async () => (await visitor.focused()).startsWith('Name'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('no such thing');
    await visitor.reads('Nothing found');
    await page.keyboard.press('Escape');
  });

  it('offers only what the operator may do, also from the navigation and with “/” and “?”', async (t) => {
    // The first operator is an admin.
    await invitedOperator(service());
    const { client } = await signedInOperator(service(), 'viewer');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/lists');
    await visitor.sees('Lists');
    await page.getByRole('button', { name: /^Go to…/ }).click();
    await page.getByRole('option', { name: 'Sign out' }).waitFor();
    await page.getByRole('option', { name: 'Create merchant' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Invite operator' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await inspectPage(visitor, 'operator-shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await visitor.sees('Merchants');
    await until(async () => (await visitor.focused()) === 'Search merchants');
  });
});
