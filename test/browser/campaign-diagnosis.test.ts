import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { DiagnosisMarket } from '../placements/diagnosis-market.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { choose, untilFocused } from './keyboard.ts';

const TITLE = 'Why is it not shown more?';

describeInBrowser('why a campaign is not shown more', () => {
  const service = useService(sqlite, { environment: { AD_QUALITY: 'off' } });
  const open = useBrowser(service);
  let merchant: TestMerchant;
  let as: ConsoleClient;
  let outbid: string;
  let disabled: string;
  let unasked: string;
  let alone: string;

  /** A campaign with a product that has the same name, in a category of this name. */
  const create = async (name: string): Promise<string> => {
    await importDrafts(service(), merchant, [[draft(name, { campaign_name: name, category: name })]]);
    const response = await as.post('/v1/campaigns', { name, type: 'AuctionCampaign', bid_amount: 0.2 });
    return response.json<Campaign>().internal_id;
  };

  before(async () => {
    const market = new DiagnosisMarket(service());
    for (const bid of [5_000, 4_900, 4_800]) await market.add({ bid, products: 1 });
    merchant = await market.add({ bid: 1_000, products: 2 });
    as = await signedIn(service(), merchant);
    const low = market.campaigns.at(-1);
    assert.ok(low !== undefined);
    outbid = low.id;
    disabled = await create('Garden');
    unasked = await create('Toys');
    alone = await create('Books');
    await as.post('/v1/products/disable', { identifier: 'Garden' });
    const category = ['Home'];
    const winWith = (most: number, requests: number): void => {
      const refusal = ({ bid }: { bid: number }) => (bid > most ? ('daily_budget' as const) : undefined);
      for (let request = 0; request < requests; request++) market.decide({ category, refusal });
    };
    winWith(5_000, 24);
    winWith(4_900, 14);
    winWith(4_800, 12);
    winWith(low.bid, 30);
    for (let request = 0; request < 50; request++) market.decide({ category: ['Books'] });
    for (let request = 0; request < 3; request++) market.decide({ category: ['Garden'] });
    await market.flush();
  });

  it('is said in plain words, and a click proposes the bid that would have won more', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${outbid}`);
    const panel = page.getByRole('region', { name: TITLE });
    await panel.getByText('In the last 24 hours, 80 requests could have shown it. It won 30 (38%)').waitFor();
    const reasons = panel.getByRole('list', { name: 'Why it lost requests' });
    await reasons.getByText('Others bid more').waitFor();
    await reasons.getByText('50 (63%)').waitFor();
    await reasons.getByText('A bid of $0.55 would have won 90% of all requests.').waitFor();
    const bids = panel.getByRole('table', { name: 'What bids would have won' }).locator('tbody tr');
    await bids.first().waitFor();
    assert.deepEqual(
      await Promise.all((await bids.all()).map((row) => row.locator('th, td').allInnerTexts())),
      [
        ['Wins a quarter', '$0.05'],
        ['Your bid', '$0.10'],
        ['Wins half', '$0.55'],
        ['Wins three quarters', '$0.55'],
        ['Wins 90%', '$0.55'],
      ],
    );
    await reasons.getByRole('button', { name: 'Bid $0.55' }).click();
    const bid = visitor.field('Bid amount');
    assert.equal(await bid.inputValue(), '0.55');
    await untilFocused(visitor, /^Bid amount/);
    await visitor.press('Save');
    await page.getByRole('region', { name: 'Budgets' }).getByText('$0.55').waitFor();
    await panel.getByRole('row', { name: /^Your bid \$0\.55/ }).waitFor();
    await reasons.getByRole('button', { name: 'Change the bid' }).waitFor();
  });

  it('leads to the products that keep it from being shown', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${disabled}`);
    const panel = page.getByRole('region', { name: TITLE });
    await panel.getByText('3 requests could have shown it. It won 0 (0%).').waitFor();
    await panel.getByText('Suggested bids appear here after 50 requests.').waitFor();
    await choose(visitor, 'Show disabled products');
    await page.waitForURL(/\/products\?/);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('campaign'), searchParams.get('status')], ['Garden', 'disabled']);
  });

  it('tells no bids of a single shop', async (t) => {
    const visitor = await open(t, { as });
    await visitor.goTo(`/campaigns/${alone}`);
    const panel = visitor.page.getByRole('region', { name: TITLE });
    await panel.getByText('50 requests could have shown it.').waitFor();
    await panel
      .getByText('and at least three other shops win requests, none of them most of these.')
      .waitFor();
    assert.equal(await panel.getByRole('table').count(), 0);
  });

  it('is asked for one product, and says when there was no request', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${outbid}?product=P1`);
    const panel = page.getByRole('region', { name: 'Why is P1 not shown more?' });
    await panel.getByText('80 requests could have shown it.').waitFor();
    await panel.getByRole('link', { name: 'Show the whole campaign' }).click();
    await page.getByRole('region', { name: TITLE }).getByText('80 requests').waitFor();
    await visitor.goTo(`/campaigns/${unasked}`);
    await page.getByRole('region', { name: TITLE }).getByText('No requests yet').waitFor();
  });

  it('proposes no changes to viewers', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    await visitor.goTo(`/campaigns/${outbid}`);
    const panel = visitor.page.getByRole('region', { name: TITLE });
    await panel.getByText('Others bid more').waitFor();
    assert.equal(await panel.getByRole('button').count(), 0);
  });
});
