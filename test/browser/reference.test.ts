import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

describeInBrowser('the API reference', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('opens with an introduction without holes between its paragraphs', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await visitor.goTo('/reference');
    const introduction = visitor.page.getByRole('region', { name: 'Conventions' });
    await introduction.getByRole('listitem').first().waitFor();
    const gaps = await introduction.evaluate((region) => {
      const parts = [...(region.querySelector('p')?.parentElement?.children ?? [])];
      const boxes = parts.map((part) => part.getBoundingClientRect());
      return boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? 0));
    });
    assert.ok(gaps.length > 0 && Math.max(...gaps) < 40, `gaps of ${gaps} pixels`);
  });

  it('lists the parameters that only post data can have', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await visitor.goTo('/reference');
    const update = visitor.page.getByRole('region', { name: 'Update a product' });
    await update.getByRole('row', { name: 'variations body array of VariationChange' }).waitFor();
    assert.equal(await update.getByLabel('variations', { exact: true }).count(), 0);
  });

  it('sends requests to the API and shows the responses', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('P-1', { title: 'Pot' }), draft('P-2')]]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/reference');
    const list = page.getByRole('region', { name: 'List products' });
    const create = page.getByRole('region', { name: 'Create a campaign' });
    await list.getByRole('button', { name: 'Send', disabled: true }).waitFor();

    visitor.expectFailure(401, '/v1/products.json');
    await visitor.field('Access token').fill('nonsense');
    await list.getByRole('button', { name: 'Send' }).click();
    const response = list.getByRole('region', { name: 'Response' });
    await response.getByText('401 ').waitFor();

    await visitor.field('Access token').fill(merchant.token);
    await list.getByLabel('sort').selectOption('unique_id_ascending');
    await list.getByLabel('per_page').fill('1');
    await list.getByText(/per_page=1/).waitFor();
    await list.getByRole('button', { name: 'Send' }).click();
    await response.getByText('200 OK').waitFor();
    const body = await response.getByRole('region', { name: 'response body' }).innerText();
    const query = { sort: 'unique_id_ascending', per_page: '1' };
    assert.deepEqual(JSON.parse(body), (await service().get('/products.json', merchant, query)).json());

    await page.getByRole('navigation', { name: 'Endpoints' }).getByText('/campaigns.json').last().click();
    await create.getByLabel('name', { exact: false }).first().fill('From the reference');
    await create.getByLabel('type', { exact: false }).first().fill('AuctionCampaign');
    await create.getByRole('button', { name: 'Send' }).click();
    await create.getByRole('region', { name: 'Response' }).getByText('200 OK').waitFor();
    const [campaign] = await campaignsOf(service(), merchant);
    assert.equal(campaign?.name, 'From the reference');
  });
});
