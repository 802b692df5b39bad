import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { invitedOperator, signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { openedSupportView } from '../support/support-views.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the support view', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  // Only an admin can be the first operator.
  before(() => invitedOperator(service()));

  it('is opened from the merchant’s page, shows the console read only, and leads back', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('P-1', { title: 'Terracotta pot' })]]);
    const { client } = await signedInOperator(service(), 'support');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page, origin } = visitor;
    await visitor.goTo(`/merchants/${merchant.id}`);
    await visitor.press('View console');
    await page.waitForURL(`${origin}/console/`);
    await visitor.sees('Overview');
    const bar = page.getByRole('region', { name: 'Support view' });
    await bar.getByText('Support view: read only').waitFor();
    await bar.getByText('60 minutes left').waitFor();
    await inspectPage(visitor, 'support-view-overview');

    await page.getByRole('navigation').getByRole('link', { name: 'Products' }).click();
    await page.getByRole('link', { name: 'Terracotta pot' }).first().waitFor();
    for (const name of ['Add product', 'Views'])
      assert.equal(await page.getByRole('button', { name }).count(), 0);
    await inspectPage(visitor, 'support-view-products');
    await page.getByRole('link', { name: 'Terracotta pot' }).first().click();
    await visitor.sees('Terracotta pot');
    assert.equal(await page.getByRole('button', { name: /^Save/ }).count(), 0);
    const menu = page.getByRole('navigation', { name: 'Console' });
    for (const name of ['API keys', 'Team', 'Shop settings', 'Webhooks', 'Campaigns', 'Orders']) {
      await menu.getByRole('link', { name }).click();
      await visitor.sees(name);
      await bar.waitFor();
      assert.equal(await page.getByText(/You are a viewer/).count(), 0, name);
    }

    visitor.expectFailure(403, '/console/api/views');
    const refused = await page.evaluate(
      `fetch('/console/api/views', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: '{"views":[]}' }).then((response) => response.json())`,
    );
    assert.deepEqual(refused, { message: 'A support view is read only: nothing can be changed in it.' });

    await page.goto(`${origin}/console/account`);
    await visitor.sees('Overview');
    await bar.getByRole('button', { name: 'End' }).click();
    await page.waitForURL(`${origin}/operator/merchants/${merchant.id}`);
    await page.getByRole('button', { name: 'View console' }).waitFor();
    visitor.expectFailure(401, '/console/api/session');
    await page.goto(`${origin}/console/`);
    await visitor.sees('Sign in');
  });

  it('takes the place of a session of the same browser, in all tabs, and gives it back', async (t) => {
    const [own, other] = [await service().newMerchant(), await service().newMerchant()];
    await importDrafts(service(), own, [[draft('OWN-1', { title: 'Own vase' })]]);
    await importDrafts(service(), other, [[draft('OTHER-1', { title: 'Other vase' })]]);
    const { operator, view } = await openedSupportView(service(), other);
    const user = await signedIn(service(), own);
    const visitor = await open(t, { as: user });
    const { page, origin, context } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('link', { name: 'Own vase' }).first().waitFor();

    const created = await operator.post('/support-views', { external_id: String(other.id) });
    const { url } = created.json<{ url: string }>();
    const second = await context.newPage();
    await second.goto(url);
    await second.waitForURL(`${origin}/console/`);
    await page.getByRole('link', { name: 'Other vase' }).first().waitFor();
    await page.getByRole('region', { name: 'Support view' }).waitFor();

    visitor.expectFailure(401, '/operator/api/session');
    await second.getByRole('button', { name: 'End' }).click();
    await second.waitForURL(/\/operator\/sign-in/);
    await page.getByRole('link', { name: 'Own vase' }).first().waitFor();
    await page.getByRole('region', { name: 'Support view' }).waitFor({ state: 'detached' });
    assert.equal((await view.get('/session')).status, 200, 'the view of another browser is still open');
  });

  it('says that it has ended, on any page, and that a link was used', async (t) => {
    const merchant = await service().newMerchant();
    const { view, operator } = await openedSupportView(service(), merchant);
    const visitor = await open(t, { as: view });
    const { page, origin } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('region', { name: 'Support view' }).waitFor();
    await operator.post('/auth/sign-out');
    visitor.expectProblem(/^401 for GET /);
    await visitor.follow('Sales');
    await visitor.sees('Support view ended');
    await inspectPage(visitor, 'support-view-ended');
    visitor.expectProblem(/^401 for GET .*\/operator\/api\/session$/);
    await visitor.press('Continue');
    await page.waitForURL(/\/operator\/sign-in/);

    visitor.expectFailure(400, '/console/api/support-view');
    await page.goto(`${origin}/console/support-view#used`);
    await visitor.reads('This link has expired or was already used.');
  });

  it('is visible to the merchant while it is open, and in its activity', async (t) => {
    const merchant = await service().newMerchant();
    const { view, name, email } = await openedSupportView(service(), merchant);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    await visitor.goTo('/');
    await visitor.reads(/support is looking at your shop, read only, until \d+:\d\d/);
    await inspectPage(visitor, 'support-view-notice');
    await visitor.follow('See activity');
    await visitor.reads('Opened the support view');
    await visitor.reads(`Operator ${name} (${email})`);
    await view.request('DELETE', '/support-view');
    await visitor.goTo('/activity');
    await visitor.reads('Ended the support view');
    assert.equal(await visitor.page.getByText('is looking at your shop').count(), 0);
  });
});
