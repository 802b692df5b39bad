import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts, importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { choose, select, untilFocused, untilFocusKept } from './keyboard.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeInBrowser('the results of a campaign', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let merchant: TestMerchant;
  let as: ConsoleClient;
  let campaign: string;

  const create = async (fields: object): Promise<string> => {
    const response = await as.post('/v1/campaigns', { type: 'AuctionCampaign', ...fields });
    return response.json<Campaign>().internal_id;
  };
  const dayOf = (back: number): string =>
    new Date(service().now() - back * DAY_MS).toISOString().slice(0, 10);
  const shownDay = (back: number): string =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(`${dayOf(back)}T00:00:00Z`),
    );
  /** Places a product a number of days ago, for so many cents. */
  const place = async (id: string, back: number, product: string, cents: number): Promise<void> => {
    const delivered_at = service().now() - back * DAY_MS;
    const fact = { merchant: null, placement_id: id, campaign_id: campaign, product_identifier: product };
    const facts = [[{ ...fact, delivered_at, price: cents * 100 }]];
    assert.deepEqual((await importFactDrafts(service(), merchant, facts)).rejections, []);
  };

  before(async () => {
    merchant = await service().newMerchant();
    as = await signedIn(service(), merchant);
    const drafts = ['VASE', 'BOWL'].map((name) =>
      draft(name, { campaign_name: 'Spring', title: `A ${name.toLowerCase()}` }),
    );
    await importDrafts(service(), merchant, [drafts]);
    campaign = await create({ name: 'Spring', bid_amount: 0.5, daily_budget: 4, lifetime_budget: 40 });
    const sale = { merchant: null, product_identifier: 'VASE', sold: true, sale_price: 2_000, rating: null };
    const scheduled_at = service().now() - DAY_MS;
    await importScheduleDrafts(service(), merchant, [[{ ...sale, schedule_id: 'b', scheduled_at }]]);
    await place('a', 0, 'BOWL', 50);
    await place('b', 1, 'VASE', 100);
    await place('c', 1, 'BOWL', 250);
    await place('d', 45, 'VASE', 600);
  });

  const figuresIn = async (region: Locator): Promise<string[]> => await region.locator('dd').allInnerTexts();
  const cellsOf = async (row: Locator): Promise<string[]> => await row.locator('th, td').allInnerTexts();

  it('are shown in a range of days, by day and by product', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${campaign}`);
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('$4.00').first().waitFor();
    assert.deepEqual(await figuresIn(results), ['$4.00', '3', '1', '$20.00', '33.3%', '$4.00', '5.00×']);
    await results.getByText('Daily budget, $4.00').waitFor();
    const days = page.getByRole('region', { name: 'Table of days' }).locator('tbody tr');
    assert.deepEqual(await Promise.all((await days.all()).map(cellsOf)), [
      [`${shownDay(0)}\nToday so far`, '$0.50', '1', '0', '$0.00', '0.0%', '–\nnone', '0.00×'],
      [shownDay(1), '$3.50', '2', '1', '$20.00', '50.0%', '$3.50', '5.71×'],
    ]);
    const products = page.getByRole('region', { name: 'By product' });
    const names = async (): Promise<string[]> =>
      await products.locator('tbody').getByRole('link').allInnerTexts();
    assert.deepEqual(await names(), ['A bowl', 'A vase']);
    await products.getByLabel('Sort by').selectOption('Highest return');
    await page.waitForURL(/sort=return_on_spend_descending/);
    await products.getByRole('link').first().and(page.getByText('A vase')).waitFor();
    await results.getByLabel('Days').selectOption('Last 90 days');
    await results.getByText('$10.00').first().waitFor();
    await page.waitForURL(/range=90/);
    await products.getByRole('link').first().and(page.getByText('A vase')).waitFor();
    const budgets = page.getByRole('region', { name: 'Budgets' });
    await budgets.getByText('$0.50 of $4.00 (12%)').waitFor();
    await budgets.getByText('$10.00 of $40.00 (25%)').waitFor();
  });

  it('lead from a day, a product and the range to their placements, which add up', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${campaign}`);
    await visitor.follow(shownDay(1));
    const ofDay = page.getByRole('region', { name: `Placements, ${shownDay(1)}` });
    await ofDay.getByText('2 placements · 2 delivered for $3.50 · 1 sold for $20.00').waitFor();
    const [first] = await ofDay.locator('tbody tr').all();
    assert.ok(first !== undefined);
    const cells = await cellsOf(first);
    assert.deepEqual([cells[0], ...cells.slice(2)], ['VASE', 'Delivered', '$1.00', 'b', '$20.00']);
    await ofDay.getByRole('link', { name: 'Close' }).click();
    await ofDay.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'By product' }).getByRole('link', { name: 'A bowl' }).click();
    const ofProduct = page.getByRole('region', { name: 'Placements of BOWL, ' });
    await ofProduct.getByText('2 placements · 2 delivered for $3.00 · 0 sold for $0.00').waitFor();
    await visitor.follow('Show placements');
    const all = page.getByRole('region', { name: `Placements, ${shownDay(29)} – ${shownDay(0)}` });
    await all.getByText('3 placements · 3 delivered for $4.00 · 1 sold for $20.00').waitFor();
    await page.reload();
    await all.waitFor();
    await page.goBack();
    await ofProduct.waitFor();
  });

  it('are explained by a click, which leads to the placements that they add up', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${campaign}`);
    const explanation = page.getByRole('dialog');
    for (const { region, figure, formula, lines } of [
      {
        region: 'Results',
        figure: '$20.00',
        formula: 'The sum of revenue of the delivered placements.',
        lines: '3 placements · 3 delivered for $4.00 · 1 sold for $20.00',
      },
      {
        region: 'Budgets',
        figure: '$0.50',
        formula: 'whose day is today.',
        lines: '1 placement · 1 delivered for $0.50 · 0 sold for $0.00',
      },
      {
        region: 'Budgets',
        figure: '$10.00',
        formula: 'of the campaign’s delivered placements.',
        lines: '4 placements · 4 delivered for $10.00 · 1 sold for $20.00',
      },
    ]) {
      await page.getByRole('region', { name: region }).getByRole('button', { name: figure }).click();
      await explanation.getByText(formula).waitFor();
      await explanation.getByRole('link', { name: 'Show the placements' }).click();
      await page.getByText(lines).waitFor();
    }
  });

  it('are read from the chart with the arrow keys', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${campaign}`);
    const chart = page.getByRole('application', { name: 'Spend by day' });
    await chart.focus();
    const tooltip = page.getByRole('region', { name: 'Results' }).getByRole('status');
    for (const [key, text] of [
      ['End', `${shownDay(0)}\nToday so far\nSpend\n$0.50\nPlacements\n1\nSold\n0\nSales\n$0.00`],
      ['ArrowLeft', `${shownDay(1)}\nSpend\n$3.50\nPlacements\n2\nSold\n1\nSales\n$20.00`],
      ['ArrowLeft', `${shownDay(2)}\nNo placements`],
    ] as const) {
      await chart.press(key);
      await tooltip
        .getByText(shownDay(key === 'End' ? 0 : 1))
        .or(tooltip.getByText(shownDay(2)))
        .waitFor();
      assert.equal((await tooltip.innerText()).replaceAll(/\n+/g, '\n'), text);
    }
  });

  it('can be read and downloaded with the keyboard alone, and the focus stays', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(`/campaigns/${campaign}`);
    await page.getByRole('region', { name: 'Table of days' }).getByRole('link').first().waitFor();
    await select(visitor, 'Days', 'Last 7 days');
    await page.waitForURL(/range=7/);
    await untilFocusKept(visitor);
    const title = `Placements, ${shownDay(6)} – ${shownDay(0)}`;
    await choose(visitor, 'Show placements');
    await page.getByRole('region', { name: title }).locator('tbody tr').first().waitFor();
    await untilFocused(visitor, new RegExp(`^${title}`));
    const started = page.waitForEvent('download');
    await choose(visitor, `Download CSV: ${title}`);
    const download = await started;
    assert.equal(download.suggestedFilename(), `placements-${dayOf(6)}.csv`);
    const [header, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    assert.match(header ?? '', /^placement_id,product_identifier,state,price,/);
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(0, 4)),
      [
        ['b', 'VASE', 'delivered', '1'],
        ['c', 'BOWL', 'delivered', '2.5'],
        ['a', 'BOWL', 'delivered', '0.5'],
      ],
    );
    await choose(visitor, 'Close');
    await page.getByRole('region', { name: title }).waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
  });

  it('say why a campaign is not shown, and what to do', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const status = page.getByRole('region', { name: 'Status' });
    const empty = await create({ name: 'Nothing', bid_amount: 1 });
    await visitor.goTo(`/campaigns/${empty}`);
    await status.getByText('because it has no products').waitFor();
    await visitor.reads('No placements yet');
    await visitor.goTo(`/campaigns/${await create({ name: 'Spring', bid_amount: 2, daily_budget: 1 })}`);
    await status.getByText('because its daily budget is spent').waitFor();
    await visitor.goTo(`/campaigns/${campaign}?range=last_month`);
    await page.getByRole('region', { name: 'Results' }).getByLabel('Days').waitFor();
  });

  it('of this month are on the overview, and of today in the list of campaigns', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/');
    const ads = page.getByRole('region', { name: 'Ads this month' });
    await ads.getByText('Return on spend').waitFor();
    assert.equal((await figuresIn(ads)).length, 3);
    await ads.getByRole('link', { name: 'All campaigns' }).click();
    await visitor.sees('Campaigns');
    const row = page.getByRole('row', { name: /^Spring AuctionCampaign Active \$0\.50 \$0\.50 of \$4\.00/ });
    await row.waitFor();
    await row.getByText('2.00×').waitFor();
    assert.match(await row.innerText(), /\$10\.00 of \$40\.00/);
  });
});
