import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { importFile } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import { importOrderDrafts, orderDraft } from '../support/orders.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';
import { newProductShop } from './product-shop.ts';

describeInBrowser('the history and the activity', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('a product’s page shows its changes in its own words, by whom, and older ones on request', async (t) => {
    const { as, path, change } = await newProductShop(service());
    for (let price = 20; price < 30; price += 1) await change({ buy_now_price: String(price) });
    await as.post('/v1/variations/update', { identifier: 'POT-S', quantity: 1 });
    await as.post('/v1/products/disable', { identifier: 'POT' });
    await importFile(as, 'brands.csv', 'identifier,brand\nPOT,Acme\n');
    const visitor = await open(t, { as });
    await visitor.goTo(path);
    const panel = visitor.page.getByRole('region', { name: 'History' });
    const entries = panel.locator('ol > li');
    await entries.nth(9).waitFor();
    assert.equal(await entries.count(), 10);
    const texts = await entries.allInnerTexts();
    assert.match(texts[0] ?? '', /^Brand: Ümit → Acme/);
    assert.match(texts[0] ?? '', /User User \d+ \(user\d+@example\.com\), import of brands\.csv/);
    assert.match(texts[1] ?? '', /^Status: (In stock|Low inventory) → Disabled/);
    assert.match(texts[2] ?? '', /^(Status: .*\n)?Stock of POT-S: 3 → 1/);
    assert.match(texts[3] ?? '', /^Buy-now price: \S*28\.00\S* → \S*29\.00\S*\s+Key default/);
    const link = entries.first().getByRole('link', { name: 'import of brands.csv' });
    assert.match((await link.getAttribute('href')) ?? '', /\/products\/import\?id=/);
    await panel.scrollIntoViewIfNeeded();
    await inspectPage(visitor, 'product-history');
    await visitor.press('Show older changes');
    await entries.nth(13).waitFor();
    assert.match(await entries.last().innerText(), /^Created/);

    await visitor.field('Title').fill('New pot');
    await visitor.page.keyboard.press('Control+s');
    await entries.first().getByText('Clay pot').waitFor();
  });

  it('lists what happened, with filters in the URL, and leads from an import to its products', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    await importDrafts(service(), merchant, [
      Array.from({ length: 60 }, (_, index) => draft(`P${index}`, { title: 'One', brand: 'Acme' })),
    ]);
    await as.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    await as.post('/v1/campaigns/update', { name: 'Spring', bid_amount: 2 });
    const drafts = ['A1', 'A2'].map((externalId) => orderDraft(externalId, { product_identifier: 'P1' }));
    await importOrderDrafts(service(), merchant, [drafts]);
    await as.post('/v1/orders/fulfill', { order_id: 1, carrier: 'ups', tracking_number: '1Z' });
    await as.post('/v1/products/update', { identifier: 'P1', title: 'Two', retail_price: 9 });
    const lines = Array.from({ length: 70 }, (_, index) => `P${index},Three`);
    await importFile(as, 'titles.csv', `identifier,title\n${lines.join('\n')}\n`);
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/activity');
    await visitor.reads('60 products changed, 10 new products');
    await visitor.reads('Retail price:');
    await visitor.reads('Bid amount:');
    await visitor.reads('Signed in');
    await visitor.reads('2 new orders: 1, 2');
    await visitor.reads('Status: To ship → Shipped');

    await page.getByRole('button', { name: 'Show products' }).first().click();
    const products = page.getByRole('list', { name: 'Products' }).getByRole('link');
    await products.nth(19).waitFor();
    for (let shown = 20; shown < 70; shown += 20) {
      await visitor.press('Show more products');
      await products.nth(Math.min(shown + 19, 69)).waitFor();
    }
    assert.equal(await products.count(), 70);

    await visitor.field('Type').selectOption('Campaigns');
    await page.waitForURL(/[?&]type=campaign/);
    await page.getByText('60 products changed').waitFor({ state: 'detached' });
    const entries = page.getByRole('list', { name: 'Activity' }).locator('> li');
    await visitor.reads('Campaign created');
    assert.equal(await entries.count(), 2);
    await visitor.field('Type').selectOption('Orders');
    await page.getByText('Campaign created').waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 2);
    const order = page.getByRole('list', { name: 'Activity' }).getByRole('link', { name: '1', exact: true });
    assert.match((await order.first().getAttribute('href')) ?? '', /\/orders\/1$/);
    await visitor.field('Type').selectOption('All types');
    await visitor.field('Field').selectOption('Retail price');
    await page.waitForURL(/[?&]field=retail_price/);
    await page.getByText('Campaign created').waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 1);
    await page.reload();
    await visitor.reads('Product changed');
    assert.equal(await visitor.field('Field').inputValue(), 'retail_price');
    await visitor.field('Done by').selectOption('Tradepost');
    await visitor.reads('No matching activity');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await visitor.reads('Signed in');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    assert.equal((await download).suggestedFilename(), 'activity.csv');
  });

  it('the overview leads to it, and so does the navigation of a viewer', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    await visitor.goTo('/');
    await visitor.page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click();
    await visitor.sees('Activity');
    await visitor.reads('Signed in');
    await visitor.reads('Key created');
  });
});
