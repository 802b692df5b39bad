import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { choose, fill, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';

describeInBrowser('the campaigns page', () => {
  const service = useService(sqlite, {
    environment: { CAMPAIGN_TYPES: 'AuctionCampaign (Bids for places in auctions, per product), Boost' },
  });
  const open = useBrowser(service);

  it('pauses, resumes, duplicates and ends a campaign with the keyboard alone', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const input = { name: 'Spring', type: 'Boost', bid_amount: 0.5, lifetime_budget: 20 };
    const { internal_id: id } = (await as.post('/v1/campaigns', input)).json<Campaign>();
    const statusOf = async (): Promise<string> =>
      (await as.get(`/v1/campaigns/retrieve?internal_id=${id}`)).json<Campaign>().status;
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await visitor.reads('1–1 of 1 campaigns');
    assert.equal(await page.getByRole('textbox', { name: 'Page' }).count(), 0);
    await choose(visitor, 'Spring');
    await visitor.sees('Spring');
    await choose(visitor, 'Pause');
    await visitor.reads('The campaign isn’t running.');
    assert.equal(await statusOf(), 'Paused');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.equal((await visitor.focused()).trim(), 'Resume');
    await page.keyboard.press('Enter');
    await visitor.reads('because it has no products');
    assert.equal(await statusOf(), 'Active');

    await choose(visitor, 'Duplicate');
    await page.getByRole('dialog').getByLabel('Boost').waitFor();
    await choose(visitor, 'Create');
    await visitor.sees('Spring (copy)');
    const copies = (await as.get('/v1/campaigns')).json<Campaign[]>();
    assert.deepEqual(
      copies.map(({ name, type, bid_amount, lifetime_budget }) => [name, type, bid_amount, lifetime_budget]),
      [
        ['Spring (copy)', 'Boost', 0.5, 20],
        ['Spring', 'Boost', 0.5, 20],
      ],
    );

    await visitor.goTo(`/campaigns/${id}`);
    await visitor.sees('Spring');
    await choose(visitor, 'End');
    await page.getByRole('dialog').waitFor();
    assert.equal(await visitor.focused(), 'Cancel');
    await choose(visitor, 'End campaign');
    await visitor.reads('The campaign has ended and can’t be changed.');
    await untilFocusKept(visitor);
    await page.keyboard.press('Tab');
    await untilFocusKept(visitor);
    assert.equal(await statusOf(), 'Expired');
    for (const name of ['Pause', 'Resume', 'Edit', 'End'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0);
    await visitor.goTo('/campaigns');
    await choose(visitor, 'Ended1');
    await visitor.reads('1–1 of 1 campaigns');
    assert.equal(visitor.address, '/campaigns?status=Expired');
  });

  it('creates, finds and edits a campaign with the keyboard alone, in pages, newest first', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    for (let number = 1; number <= 25; number += 1)
      await as.post('/v1/campaigns', { name: `Campaign no. ${number}`, type: 'Boost' });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await visitor.reads('1–25 of 25 campaigns');
    await choose(visitor, 'Create campaign');
    await untilFocused(visitor, 'Name *');
    await page.keyboard.type('Spring');
    await tabTo(visitor, 'AuctionCampaign');
    await page.keyboard.press('ArrowDown');
    assert.equal(await visitor.focused(), 'Boost');
    await fill(visitor, 'Bid amount', 'much');
    visitor.expectFailure(400, '/v1/campaigns.json');
    await choose(visitor, 'Create');
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor();
    await untilFocused(visitor, 'Create');
    await fill(visitor, 'Bid amount', '0.5');
    await page.keyboard.press('Enter');
    await visitor.reads('Campaign “Spring” created.');
    await untilFocused(visitor, 'Create campaign');
    const created = (await campaignsOf(service(), merchant)).find(({ name }) => name === 'Spring');
    assert.deepEqual([created?.type, created?.bid_amount], ['Boost', 0.5]);

    await visitor.reads('1–25 of 26 campaigns');
    const rows = page.locator('tbody tr');
    assert.match(await rows.first().innerText(), /^Spring\s+Boost\s+Active\s+No products\s+\$0\.50/);
    assert.equal(await rows.count(), 25);
    await choose(visitor, 'Next page');
    await visitor.reads('26–26 of 26 campaigns');
    await untilFocusKept(visitor);
    assert.equal(visitor.address, '/campaigns?page=2');
    assert.match(await rows.last().innerText(), /^Campaign no\. 1\s/);
    await choose(visitor, 'Previous page');
    await visitor.reads('1–25 of 26 campaigns');
    await untilFocusKept(visitor);
    await page.goBack();
    await visitor.reads('26–26 of 26 campaigns');
    await page.reload();
    await visitor.reads('26–26 of 26 campaigns');
    await page.goBack();
    await visitor.reads('1–25 of 26 campaigns');
    await choose(visitor, 'Spring');
    await visitor.sees('Spring');
    await choose(visitor, 'Edit');
    await untilFocused(visitor, 'Name *');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Summer');
    await choose(visitor, 'Save');
    await visitor.sees('Summer');
    await untilFocused(visitor, 'Edit');
  });

  it('changes the name and the amounts of a campaign, and lists its products', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const input = { name: 'Spring', type: 'Boost', bid_amount: 0.5, daily_budget: 20 };
    const { internal_id: id } = (await as.post('/v1/campaigns', input)).json<Campaign>();
    await importDrafts(service(), merchant, [
      [draft('V-1', { title: 'Blue vase', campaign_name: 'Summer' }), draft('V-2', {})],
    ]);
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${id}`);
    await visitor.reads('No products yet');
    await visitor.press('Edit');
    assert.equal(await visitor.focused(), 'Name *');
    await visitor.field('Name').fill('Summer');
    await visitor.field('Daily budget').fill('');
    await visitor.field('Lifetime budget').fill('much');
    visitor.expectFailure(400, `/console/api/campaigns/${id}`);
    await visitor.press('Save');
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor();
    await visitor.field('Lifetime budget').fill('99.5');
    for (const slot of ['00–03', '21–24']) await page.getByLabel(slot).uncheck();
    await visitor.press('Save');
    await visitor.sees('Summer');
    assert.deepEqual(await page.locator('li s').allInnerTexts(), ['00–03', '21–24']);
    const changed = (await as.get(`/v1/campaigns/retrieve?internal_id=${id}`)).json<Campaign>();
    assert.deepEqual(
      [changed.name, changed.bid_amount, changed.daily_budget, changed.lifetime_budget],
      ['Summer', 0.5, null, 99.5],
    );
    assert.deepEqual(Object.values(changed.hourly_schedule ?? {}), [0, 1, 1, 1, 1, 1, 1, 0]);
    await visitor.follow('Blue vase');
    await visitor.sees('Blue vase');
    const { internal_id: empty } = (
      await as.post('/v1/campaigns', { name: 'Autumn', type: 'Boost' })
    ).json<Campaign>();
    await visitor.goTo(`/campaigns/${empty}`);
    await visitor.reads('Add products to this campaign to start advertising.');
    await visitor.follow('Add products');
    await visitor.sees('Products');
    visitor.expectFailure(404, '/v1/campaigns/retrieve.json');
    await visitor.goTo('/campaigns/none');
    await visitor.sees('Page not found');
  });

  it('shows the errors of the API at the fields, and creates a valid campaign', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await visitor.reads('No campaigns yet');
    await page.getByRole('button', { name: 'Create campaign' }).first().click();
    await visitor.reads('Bids for places in auctions, per product');
    const dialog = page.getByRole('dialog');
    assert.equal(await visitor.focused(), 'Name *');
    visitor.expectFailure(400, '/v1/campaigns.json');
    await page.getByLabel('Boost').check();
    await visitor.field('Bid amount').fill('-1');
    await visitor.field('Lifetime budget').fill('1,5');
    await visitor.press('Create');
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    const wrong = await dialog.locator('[aria-invalid=true]').all();
    const names = await Promise.all(
      wrong.map((field) =>
        field.evaluate<string, { labels: { textContent: string }[] }>(
          ({ labels }) => labels[0]?.textContent ?? '',
        ),
      ),
    );
    assert.deepEqual(names, ['Name *', 'Bid amount', 'Lifetime budget']);
    await dialog.getByText('Enter a campaign name.').waitFor();
    await visitor.field('Name').fill('Spring');
    await visitor.field('Bid amount').fill('0.5');
    await visitor.field('Lifetime budget').fill('1.5');
    await page.keyboard.press('Enter');
    await visitor.reads('Campaign “Spring” created.');
    await page.getByRole('cell', { name: 'Spring Boost' }).waitFor();
    const [campaign] = await campaignsOf(service(), merchant);
    assert.deepEqual(
      [campaign?.name, campaign?.type, campaign?.bid_amount, campaign?.lifetime_budget],
      ['Spring', 'Boost', 0.5, 1.5],
    );
  });
});

describeInBrowser('the form of a campaign, where any type is allowed', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('suggests the known type, and accepts another', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await page.getByRole('button', { name: 'Create campaign' }).first().click();
    await visitor.field('Name').fill('Spring');
    const list = await visitor.field('Type').getAttribute('list');
    await page
      .locator(`datalist[id="${list}"] option[value="AuctionCampaign"]`)
      .waitFor({ state: 'attached' });
    await visitor.field('Type').fill('Banner');
    await visitor.press('Create');
    await visitor.reads('Campaign “Spring” created.');
    assert.equal((await campaignsOf(service(), merchant))[0]?.type, 'Banner');
  });
});
