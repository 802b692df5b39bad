import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, it } from 'node:test';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { choose, select, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';
import { addDays, monthsBefore, pointAtMonth, shownMonth, shownSales } from './sales.ts';

describeInBrowser('sales', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let merchant: TestMerchant;
  let as: ConsoleClient;
  let months: MonthlySales[];
  before(async () => {
    merchant = await service().newMerchant();
    as = await signedIn(service(), merchant);
    const drafts = [3, 0, 1, 50].map((quantity) =>
      draft(`P-${quantity}`, { title: `Pot with ${quantity}` }, [{ identifier: `V-${quantity}`, quantity }]),
    );
    await importDrafts(service(), merchant, [drafts]);
    await importScheduleDrafts(service(), merchant, [schedules(new Date(service().now()))]);
    months = (await service().get('/performance/sales.json', merchant)).json<MonthlySales[]>();
    assert.equal(months.length, 3);
  });

  it('can be downloaded, with the figures of the page and the API', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/sales');
    const started = page.waitForEvent('download');
    await visitor.press('Download CSV');
    const download = await started;
    const today = new Date(service().now()).toISOString().slice(0, 10);
    assert.equal(download.suggestedFilename(), `sales-${monthsBefore(today, 11)}-${today}.csv`);
    const [header = '', ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    const names = header.split(',');
    const read = lines.map((line) =>
      Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])),
    );
    const asText = months.map(({ month, ...figures }) => {
      const to = addDays(monthsBefore(`${month}-01`, -1), -1);
      const row = { from: `${month}-01`, to: to < today ? to : today, ...figures };
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')]));
    });
    assert.deepEqual(read, asText);
    const rows = await page
      .getByRole('region', { name: 'Table of monthly totals' })
      .locator('tbody tr')
      .all();
    assert.deepEqual(
      await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts())),
      months.toReversed().map((month, index) => {
        const [name, ...shown] = shownSales(month);
        return [index === 0 ? `${name}\nMonth to date` : name, ...shown];
      }),
    );
  });

  it('of a period that ends today are compared with the same days, and this month is marked', async (t) => {
    const shop = await service().newMerchant();
    const now = new Date(service().now());
    await importDrafts(service(), shop, [[draft('P-50')]]);
    // A sale in each month, and a large one six months ago, later in the month than now if possible.
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    const monthly = Array.from({ length: 12 }, (_, back) => Date.UTC(year, month - back, 1));
    const later = Date.UTC(year, month - 5, 0, 23, 59);
    const sameTime = Date.UTC(year, month - 6, 1) + now.getTime() - Date.UTC(year, month, 1);
    const [sold] = schedules(now);
    assert.ok(sold !== undefined);
    const drafts = [...monthly, ...(later > sameTime ? [later] : [])].map((scheduled_at, number) => ({
      ...sold,
      schedule_id: String(number),
      scheduled_at,
      sale_price: scheduled_at === later ? 1_000_000 : 1000,
    }));
    await importScheduleDrafts(service(), shop, [drafts]);
    const visitor = await open(t, { as: await signedIn(service(), shop) });
    const today = now.toISOString().slice(0, 10);
    await visitor.goTo(`/sales?from=${monthsBefore(today, 5)}&to=${today}&by=month`);
    await visitor.reads(/^vs\. /);
    await visitor.reads('$60.00');
    const summary = visitor.page.locator('dl').first();
    await summary.getByText('No change').first().waitFor();
    assert.equal(await summary.getByText('No change').count(), 5);
    await visitor.reads('Month to date');
    await visitor.page.locator('path[fill^="url(#"]').first().waitFor();
  });

  it('are read from a chart with the pointer and the arrow keys', async (t) => {
    const visitor = await open(t, { as });
    const today = new Date(service().now()).toISOString().slice(0, 10);
    await visitor.goTo(`/sales?from=${months[0]?.month}-01&to=${today}&by=month`);
    const chart = visitor.page.getByRole('application', { name: 'Auctions and sell rate', exact: true });
    const tooltip = visitor.page.getByRole('region', { name: 'Auctions and sell rate', exact: true });
    const reads = async (index: number): Promise<void> => {
      const month = months[index];
      assert.ok(month !== undefined);
      await tooltip.getByText(shownMonth(month.month), { exact: true }).waitFor();
      const figures = await tooltip.locator('dd').allInnerTexts();
      assert.deepEqual(figures, shownSales(month, ['schedules', 'sell_rate']).slice(1));
    };
    await pointAtMonth(chart, 1, 3);
    await reads(1);
    await visitor.page.mouse.move(0, 0);
    await tooltip.locator('dl').waitFor({ state: 'detached' });
    await chart.focus();
    for (const [key, index] of [
      ['ArrowLeft', 2],
      ['ArrowLeft', 1],
      ['Home', 0],
      ['ArrowLeft', 0],
      ['ArrowRight', 1],
      ['End', 2],
    ] as const) {
      await chart.press(key);
      await reads(index);
    }
    await chart.press('Escape');
    await tooltip.locator('dl').waitFor({ state: 'detached' });
  });

  it('lead from a month and from a product to the auctions behind the figures, which add up', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const [last] = months.slice(-2);
    assert.ok(last !== undefined);
    await visitor.goTo('/sales');
    const table = page.getByRole('region', { name: 'Table of monthly totals' });
    const name = shownSales(last)[0] ?? '';
    await table.getByRole('link', { name }).click();
    const lines = page.getByRole('region', { name: `Auctions in ${name}` });
    await lines.getByText(new RegExp(`^${last.schedules} auctions? · \\d+ sold · `)).waitFor();
    assert.equal(await lines.locator('tbody tr').count(), last.schedules);
    await lines.getByRole('link', { name: 'Close' }).click();
    await lines.waitFor({ state: 'detached' });
    const products = page.getByRole('region', { name: 'By product' });
    await products.getByRole('link', { name: 'Auctions of P-50' }).click();
    await page
      .getByRole('region', { name: /^Auctions of P-50, / })
      .locator('tbody tr')
      .first()
      .waitFor();
    await products.getByRole('link', { name: 'Pot with 50' }).click();
    await visitor.sees('Pot with 50');
  });

  it('are explained by a click, with a link to the auctions that they add up', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const now = months.at(-1);
    assert.ok(now !== undefined);
    const [name = '', total = ''] = shownSales(now);
    await visitor.goTo('/sales');
    const table = page.getByRole('region', { name: 'Table of monthly totals' });
    const figure = table.getByRole('row', { name }).getByRole('button', { name: total, exact: true });
    await figure.click();
    const explanation = page.getByRole('dialog');
    await explanation.getByText('The sum of sale_price.').waitFor();
    assert.deepEqual(await explanation.locator('dd').allInnerTexts(), [
      String(now.schedules),
      'exact',
      'UTC',
    ]);
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'detached' });
    await untilFocused(visitor, total);
    await page.keyboard.press('Enter');
    await explanation.getByRole('link', { name: 'Show the auctions' }).click();
    await explanation.waitFor({ state: 'detached' });
    // When they are listed, they move the products.
    const auctions = page.getByRole('region', { name: `Auctions in ${name}` });
    await auctions.locator('tbody tr').first().waitFor();
    const products = page.getByRole('region', { name: 'By product' });
    await products.locator('tbody').getByRole('button').first().click();
    await explanation.getByRole('link', { name: 'Show the auctions' }).click();
    const ofProduct = page.getByRole('region', { name: /^Auctions of P-50, / });
    await ofProduct.locator('tbody tr').first().waitFor();
  });

  it('say how many auctions of a month are listed, and what they add up to', async (t) => {
    const shop = await service().newMerchant();
    const now = new Date(service().now());
    await importDrafts(service(), shop, [[draft('P-50')]]);
    const [sold] = schedules(now);
    assert.ok(sold !== undefined);
    const drafts = Array.from({ length: 101 }, (_, number) => ({
      ...sold,
      schedule_id: String(number),
      sale_price: 100,
    }));
    await importScheduleDrafts(service(), shop, [drafts]);
    const visitor = await open(t, { as: await signedIn(service(), shop) });
    await visitor.goTo(`/sales?month=${new Date(sold.scheduled_at).toISOString().slice(0, 7)}`);
    await visitor.reads('Showing 100 of 101 · 100 sold · $100.00');
    await visitor.press('Show more auctions');
    await visitor.reads('101 auctions · 101 sold · $101.00');
  });

  it('can be read and downloaded with the keyboard alone, and the focus stays', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const downloads = async (label: string): Promise<string> => {
      const started = page.waitForEvent('download');
      await choose(visitor, label);
      return (await started).suggestedFilename();
    };
    const last = months.at(-1);
    assert.ok(last !== undefined);
    const name = shownSales(last)[0] ?? '';
    const lines = page.getByRole('region', { name: `Auctions in ${name}` });
    await visitor.goTo('/sales');
    await page.getByRole('region', { name: 'By product' }).getByRole('link').first().waitFor();
    const today = new Date(service().now()).toISOString().slice(0, 10);
    assert.equal(await downloads('Download CSV'), `sales-${monthsBefore(today, 11)}-${today}.csv`);
    await tabTo(visitor, 'Range');
    await tabTo(visitor, 'Group by');
    await select(visitor, 'Compare with', 'vs. last year');
    await page.waitForURL(/compare=last_year/);
    await choose(visitor, name);
    await lines.locator('tbody tr').first().waitFor();
    await untilFocused(visitor, new RegExp(`^Auctions in ${name}`));
    assert.equal(await downloads(`Download CSV: Auctions in ${name}`), `schedules-${last.month}.csv`);
    await choose(visitor, 'Close');
    await lines.waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
  });

  it('of this month are on the overview, next to products with low stock', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const [last, now] = months.slice(-2);
    assert.ok(now !== undefined && last !== undefined);
    await visitor.goTo('/');
    const region = page.getByRole('region', { name: shownMonth(now.month) });
    await region.getByText(`Month to date vs. the same days of ${shownMonth(last.month)}`).waitFor();
    const shown = await region.locator('dd > span:first-child').allInnerTexts();
    assert.deepEqual(shown, shownSales(now).slice(1));
    const low = page.getByRole('region', { name: 'Low stock' });
    assert.deepEqual(await low.getByRole('link').allInnerTexts(), ['View all', 'Pot with 1', 'Pot with 3']);
    await low.getByRole('link', { name: 'Pot with 3' }).click();
    await visitor.sees('Pot with 3');
  });
});

/** Two on the first day of each of three months up to `now`. In the middle month, none was sold. */
function schedules(now: Date): ScheduleDraft[] {
  return [0, 1, 2, 3, 4, 5].map((number) => {
    const sold = number % 3 !== 1;
    return {
      merchant: null,
      schedule_id: String(number),
      product_identifier: 'P-50',
      scheduled_at: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (number % 3), 1),
      sold,
      sale_price: sold ? 123_456 + number : null,
      rating: number === 0 ? 450 : null,
    };
  });
}
