import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { campaignsOf } from '../support/campaigns.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describeInBrowser('the campaigns page', () => {
  const service = useService(sqlite, {
    environment: { CAMPAIGN_TYPES: 'AuctionCampaign (Bids for places in auctions, per product), Boost' },
  });
  const open = useBrowser(service);

  it('lists them page by page, newest first', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    for (let number = 1; number <= 30; number += 1) {
      await as.post('/campaigns', { name: `Campaign no. ${number}`, type: 'Boost', bid_amount: number });
    }
    const visitor = await open(t, { as });
    const { page } = visitor;
    const rows = page.locator('tbody tr');
    await visitor.goTo('/campaigns');
    await visitor.reads('1–25 of 30 campaigns');
    assert.equal(await rows.count(), 25);
    assert.match(await rows.first().innerText(), /^Campaign no\. 30\s+Boost\s+Active\s+30\.00/);
    await page.getByRole('link', { name: 'Next page' }).click();
    await visitor.reads('26–30 of 30 campaigns');
    assert.equal(visitor.address, '/campaigns?page=2');
    assert.match(await rows.last().innerText(), /^Campaign no\. 1\s/);
    await page.reload();
    await visitor.reads('26–30 of 30 campaigns');
    await page.goBack();
    await visitor.reads('1–25 of 30 campaigns');
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
    visitor.expectFailure(400, '/console/api/campaigns');
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
