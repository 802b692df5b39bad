import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describeInBrowser('the console', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('keeps the chosen theme', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    const colors = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await page.emulateMedia({ colorScheme: 'light' });
    await visitor.goTo('/');
    await visitor.sees('Overview');
    assert.equal(await colors(), 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    assert.equal(await colors(), 'dark');
    await page.getByRole('radio', { name: 'Light' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await visitor.sees('Overview');
    assert.equal(await colors(), 'dark');
    await page.getByTitle('System').click();
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  });

  it('opens its navigation with a button on a phone', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as, context: { viewport: { width: 390, height: 844 }, hasTouch: true } });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    assert.equal(await page.getByRole('link', { name: 'Sales' }).count(), 0);
    await visitor.press('Open menu');
    await page.getByRole('dialog').getByRole('link', { name: 'Sales' }).tap();
    await visitor.sees('Sales');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('shows an error and its navigation at an unknown address', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await visitor.goTo('/prodcuts');
    await visitor.reads('Check the address.');
    await visitor.page
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: 'Sales' })
      .waitFor();
    await visitor.follow('Go to the overview');
    await visitor.sees('Overview');
  });
});
