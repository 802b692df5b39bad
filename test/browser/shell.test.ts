import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('cannot be framed by pages of other origins, with any spelling of its URL', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page, origin } = visitor;
    const elsewhere = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Elsewhere</title><iframe src="${origin}${url}"></iframe>`);
    }).listen(0, '127.0.0.1');
    t.after(() => elsewhere.close());
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    visitor.expectProblem(/^request to another origin: http:\/\/127\.0\.0\.1:/);
    visitor.expectProblem(/^console: Framing .* violates .* "frame-ancestors 'none'"/);
    visitor.expectProblem(/^net::ERR_BLOCKED_BY_RESPONSE for GET /);
    for (const path of ['/console', '/%63onsole', '/c%6Fnsole/products']) {
      const blocked = page.waitForEvent('requestfailed', (request) => request.url() === origin + path);
      await page.goto(`http://127.0.0.1:${port}${path}`);
      assert.match((await blocked).failure()?.errorText ?? '', /ERR_BLOCKED_BY_RESPONSE/, path);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      assert.ok(frame !== undefined && !frame.url().startsWith(origin), `${path} is shown: ${frame?.url()}`);
    }
  });

  it('tells a suspended merchant why it is closed, and opens once the merchant is active', async (t) => {
    const token = await service().newOperatorToken();
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const setState = (state: string) =>
      service().operator('PUT', `/merchants/${merchant.id}`, token, { json: { state } });
    await setState('suspended');
    await visitor.goTo('/products');
    await visitor.sees('Account suspended');
    await visitor.reads(/Your marketplace operator has suspended this account/);
    const reason = 'Orders were not shipped for two weeks.';
    await service().operator('PUT', `/merchants/${merchant.id}`, token, {
      json: { suspension_reason: reason },
    });
    await visitor.goTo('/suspended');
    await visitor.reads(reason);
    await setState('active');
    await visitor.goTo('/suspended');
    await visitor.sees('Overview');
    await setState('suspended');
    await visitor.goTo('/');
    await visitor.press('Sign out');
    await visitor.page.waitForURL(/\/console\/sign-in/);
  });
});
