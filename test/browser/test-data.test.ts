import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KeyList } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"/>';

describeInBrowser('test data', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  const bar = ({ page }: Visitor) => page.getByRole('region', { name: 'Test data' });
  const isOn = async (visitor: Visitor): Promise<boolean> => (await bar(visitor).count()) > 0;
  const switchOn = async (visitor: Visitor): Promise<void> => {
    await visitor.page.getByText('Test data', { exact: true }).click();
    await bar(visitor).waitFor();
  };

  it('is shown after a switch, with a bar on every page, and nothing there changes the shop', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('LIVE-1', { title: 'Live vase' })]]);
    const as = await signedIn(service(), merchant, 'owner');
    const visitor = await open(t, { as });
    const { page } = visitor;
    visitor.expectProblem(/^request to another origin: https:\/\/images\.example\.com\//);
    await visitor.context.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
    );
    await visitor.goTo('/products');
    await visitor.reads('Live vase');
    assert.equal(await isOn(visitor), false);
    await switchOn(visitor);
    await visitor.sees('Products');
    assert.equal(await page.getByText('Live vase').count(), 0);

    await bar(visitor).getByRole('button', { name: 'Reset…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reset test data?' });
    await dialog.waitFor();
    await inspectPage(visitor, 'test-data-reset');
    await dialog.getByRole('button', { name: 'Reset with sample data' }).click();
    await visitor.reads(/^Your test data has 60 products/);
    await visitor.sees('Overview');
    await inspectPage(visitor, 'test-data-overview');
    for (const [link, heading] of [
      ['Orders', 'Orders'],
      ['Products', 'Products'],
      ['Campaigns', 'Campaigns'],
      ['Sales', 'Sales'],
      ['API keys', 'API keys'],
      ['Webhooks', 'Webhooks'],
      ['Activity', 'Activity'],
      ['Team', 'Team'],
      ['Shop settings', 'Shop settings'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: link }).click();
      await visitor.sees(heading);
      assert.equal(await isOn(visitor), true);
    }
    await visitor.reads('These settings are the same for live and test data.');

    await visitor.goTo('/products');
    await visitor.reads(/of 60 products/);
    await inspectPage(visitor, 'test-data-products');
    await visitor.goTo('/products/new');
    await visitor.field('Identifier').fill('TEST-1');
    await visitor.field('Title').fill('Test vase');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/products\/\d+/);
    await visitor.goTo('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await visitor.field('Name').fill('Sandbox');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText(/tpt_/).first().waitFor();
    const listed = (await as.get('/v1/products')).json<Product[]>();
    assert.deepEqual(
      listed.map(({ identifier }) => identifier),
      ['LIVE-1'],
    );
    const { keys } = (await as.get('/keys')).json<KeyList>();
    assert.equal(keys.find(({ name }) => name === 'Sandbox')?.mode, 'test');
    await page.getByRole('button', { name: 'Done' }).click();

    // It stays over a reload and in new tabs, until the user leaves it.
    await page.reload();
    await bar(visitor).waitFor();
    await visitor.goTo('/products');
    await bar(visitor).getByRole('button', { name: 'Leave test data' }).click();
    await visitor.reads('Live vase');
    assert.equal(await isOn(visitor), false);
  });

  it('keeps the side of a tab while another tab leaves it', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('LIVE-1', { title: 'Live vase' })]]);
    const as = await signedIn(service(), merchant, 'owner');
    const visitor = await open(t, { as });
    await visitor.goTo('/products');
    await switchOn(visitor);
    const other = await visitor.context.newPage();
    await other.goto(visitor.page.url());
    const otherBar = other.getByRole('region', { name: 'Test data' });
    await otherBar.waitFor();
    await otherBar.getByRole('button', { name: 'Leave test data' }).click();
    await other.getByText('Live vase').first().waitFor();
    await visitor.page.reload();
    await bar(visitor).waitFor();
    assert.equal(await visitor.page.getByText('Live vase').count(), 0);
  });

  it('is offered to viewers once it is open, without its reset', async (t) => {
    const merchant = await service().newMerchant();
    const editor = await signedIn(service(), merchant, 'editor');
    const visitor = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    assert.equal(await page.getByRole('switch', { name: 'Test data' }).count(), 0);
    assert.equal((await editor.post('/test-data', {})).status, 200);
    await page.reload();
    await switchOn(visitor);
    assert.equal(await bar(visitor).getByRole('button', { name: 'Reset…' }).count(), 0);
  });
});
