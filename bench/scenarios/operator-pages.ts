import { chromium, type Page } from 'playwright-core';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Random } from '../../src/demo/random.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { RequestRecorder } from '../../src/requests/request-recorder.ts';
import { flags, requireBrowser } from '../../test/support/browser/find-browser.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { addCampaign } from '../service/market.ts';
import { signInOperator } from '../service/operator-user.ts';
import { fillOrders, generateOrderDrafts, untilNumbered } from '../service/orders.ts';
import { serve } from '../service/servers.ts';

const MERCHANTS = Number(process.env.BENCH_OPERATOR_MERCHANTS ?? 10_000);
const PRODUCTS_EACH = 100;
const REPEATS = 5;
const HOUR_MS = 60 * 60 * 1000;
const WEEK_HOURS = 7 * 24;
/** One of so many has failed calls every hour. */
const FAILING_EVERY = 10;
/** One of so many has orders, of the last days. */
const SELLING_EVERY = 10;
const ORDERS_EACH = 50;
const OVERVIEW_SECONDS = 60;

/** A page, and the link or choice that is clicked there. */
const clicks: readonly { name: string; from: string; link: string }[] = [
  { name: 'Merchants', from: '/audit', link: 'Merchants' },
  { name: 'Merchants, suspended', from: '/merchants', link: 'Suspended' },
  { name: 'Merchants, calls failing', from: '/merchants', link: 'Calls failing' },
  { name: 'Moderation', from: '/audit', link: 'Moderation' },
  { name: 'Products', from: '/audit', link: 'Products' },
  { name: 'Orders', from: '/audit', link: 'Orders' },
  { name: 'Campaigns', from: '/audit', link: 'Campaigns' },
  { name: 'Campaigns, paused', from: '/campaigns', link: 'Paused' },
  { name: 'Calls', from: '/audit', link: 'Calls' },
  { name: 'Imports', from: '/audit', link: 'Imports' },
  { name: 'Events', from: '/audit', link: 'Events' },
  { name: 'Webhooks', from: '/audit', link: 'Webhooks' },
  { name: 'System', from: '/audit', link: 'System' },
  { name: 'Overview', from: '/audit', link: 'Overview' },
];

/** What pages read after something was typed or chosen. */
const reads: readonly string[] = [
  ...['merchants?query=m99', 'merchants?query=m', 'calls?hours=168'],
  ...['products?query=lamp', 'products?status=sold_out', 'products?merchant=10'],
  ...['orders?query=O-10', 'orders?status=paid', 'orders?merchant=10'],
];

/** What a click took until the list was shown, in milliseconds, and what the page read for it. */
interface Click {
  time: number;
  urls: string[];
}

/** Resolves to a `Click`. Runs in the page, to add no latency. */
const untilShown = (link: string): string => `new Promise((resolve, reject) => {
  const calls = () => performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/operator/v1/'));
  const before = calls().length;
  const found = [...document.querySelectorAll('a, label')].find((one) => one.textContent.trim() === ${JSON.stringify(link)});
  const start = performance.now();
  found.click();
  const check = () => {
    if (performance.now() - start > 20_000) reject(new Error(${JSON.stringify(`nothing was shown after a click on ${link}`)}));
    else if (calls().length === before || document.querySelector('#main [aria-busy=true]') !== null) requestAnimationFrame(check);
    else requestAnimationFrame(() => setTimeout(() => resolve({ time: performance.now() - start, urls: calls().slice(before) })));
  };
  requestAnimationFrame(check);
})`;

/** The least that a browser needs for a list: reads the same, and shows it as a table of text. */
const bareTime = (urls: readonly string[]): string => `(async () => {
  const start = performance.now();
  const answers = await Promise.all(${JSON.stringify(urls)}.map(async (url) => (await fetch(url)).json()));
  const table = document.createElement('table');
  for (const list of answers.flatMap(Object.values).filter(Array.isArray))
    for (const one of list)
      table.insertRow().append(...Object.values(one).map((value) => Object.assign(document.createElement('td'), { textContent: JSON.stringify(value) })));
  document.body.replaceChildren(table);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
})()`;

/**
 * Measures the time from a click to the list of the operator's screen in a browser, with 10,000 merchants
 * that have 100 products and a campaign each, all of which wait for a review, 50,000 orders, and a week of
 * failed calls; and what an open overview costs. BENCH_OPERATOR_MERCHANTS sets another number of merchants.
 */
export async function operatorPages(engine: Engine): Promise<Figure[]> {
  const settings = await marketplaceOf(engine);
  await using server = await serve(settings, { MODERATION_QUEUE: 'on' });
  await untilNumbered(settings);
  const client = await signInOperator(settings, server.baseUrl);
  await using browser = await chromium.launch({ executablePath: requireBrowser(), args: flags });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const { origin } = new URL(server.baseUrl);
  const url = `${origin}/operator/`;
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  const bare = await context.newPage();
  const barePage = `${origin}/bare`;
  await bare.route(barePage, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await bare.goto(barePage);
  const figures: Figure[] = [];
  const all: number[] = [];
  const ratios: number[] = [];
  for (const { name, from, link } of clicks) {
    const times: number[] = [];
    const bareTimes: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      await page.bringToFront();
      await open(page, `${origin}/operator${from}`);
      await page.locator('a, label').getByText(link, { exact: true }).first().waitFor();
      const { time, urls } = await page.evaluate<Click>(untilShown(link));
      times.push(time);
      await bare.bringToFront();
      bareTimes.push(await bare.evaluate<number>(bareTime(urls)));
    }
    all.push(...times);
    const notes = `a bare page takes ${measured(bareTimes).median.toFixed(1)}`;
    figures.push({ name: `${name}, in ms`, ...measured(times), bound: { atMost: 200 }, notes });
    ratios.push(measured(times).median / measured(bareTimes).median);
  }
  for (const path of reads) {
    const times: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const start = performance.now();
      const { status, text } = await client.get(`/operator/v1/${path}`);
      times.push(performance.now() - start);
      if (status !== 200) throw new Error(`status ${status} for ${path}: ${text}`);
    }
    all.push(...times);
    figures.push({ name: `GET ${path}, in ms`, ...measured(times), bound: { atMost: 200 }, notes: '' });
  }
  figures.push({
    ...{ name: 'a click ÷ a bare page with the same lists', ...measured(ratios), bound: null },
    notes: 'which reads the same and shows it as a table of text',
  });
  figures.push({ name: 'all clicks and reads, in ms', ...measured(all), bound: { atMost: 200 }, notes: '' });
  const cost = async (): Promise<number> => {
    const before = server.cpuSeconds() + (engine.cpuSeconds() || 0);
    const start = performance.now();
    await page.waitForTimeout(OVERVIEW_SECONDS * 1_000);
    const after = server.cpuSeconds() + (engine.cpuSeconds() || 0);
    return ((after - before) * 1_000) / (performance.now() - start);
  };
  await page.goto('about:blank');
  const idle = await cost();
  await open(page, url);
  const shares = measured([(await cost()) - idle]);
  const notes = `of the server and the database; idle, they take ${idle.toFixed(4)}`;
  figures.push({ name: 'an open overview: share of a core', ...shares, bound: { atMost: 0.01 }, notes });
  return figures;
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('#root > [inert]').waitFor({ state: 'detached' });
  await page.locator('#main h1').waitFor();
  await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

async function marketplaceOf(engine: Engine): Promise<Settings> {
  const name = `marketplace_${MERCHANTS}_orders`;
  if (await engine.has(name)) return engine.settings(name);
  const unfinished = `${name}_without_calls`;
  await engine.drop(unfinished);
  const random = new Random(1);
  const settings = await databaseOf(engine, unfinished, Array<number>(MERCHANTS).fill(PRODUCTS_EACH), {
    drafts: merchantsDrafts,
    writer: {
      authority: 'merchant',
      maxCategories: null,
      onlyListedCategories: false,
      moderationQueue: true,
    },
    addTo: async (database, merchantId) => {
      await addCampaign(database, merchantId, `Campaign ${merchantId}`, random.whole(10, 200) / 100);
    },
  });
  const database = await openDatabase(parseConfig(settings), Date.now());
  await addCalls(database);
  await addOrders(settings, database);
  await database.updateStatistics();
  await database.close();
  await engine.rename(unfinished, name);
  return engine.settings(name);
}

/** What merchants may set. */
function* merchantsDrafts(count: number, seed: number): Generator<ProductDraft> {
  for (const { fields, ...draft } of generateDrafts(count, seed)) {
    const { title = null, category = null, retail_price = null, primary_image = null } = fields;
    yield { ...draft, variations: undefined, fields: { title, category, retail_price, primary_image } };
  }
}

/** Adds the orders of one of ten merchants, each of which sold at the same times. */
async function addOrders(settings: Settings, database: Database): Promise<void> {
  const before = Date.now() - 24 * HOUR_MS;
  for (let number = SELLING_EVERY; number <= MERCHANTS; number += SELLING_EVERY) {
    const products = [...merchantsDrafts(PRODUCTS_EACH, number)];
    const drafts = generateOrderDrafts(ORDERS_EACH, { products, prefix: `O-${number}-`, before });
    await fillOrders({ settings, database }, `m${number}`, drafts);
  }
}

/** Adds calls of the last week: each day of all merchants, and each hour of merchants whose calls fail. */
async function addCalls(database: Database): Promise<void> {
  let at = 0;
  const onError = (error: unknown): void => {
    throw error;
  };
  const recorder = new RequestRecorder(database, () => at, onError);
  const begin = Date.now() - WEEK_HOURS * HOUR_MS;
  for (let hour = 0; hour < WEEK_HOURS; hour += 1) {
    at = begin + hour * HOUR_MS;
    for (let merchantId = 1; merchantId <= MERCHANTS; merchantId += 1) {
      const key = { merchantId, keyId: 1 };
      const isFailing = merchantId % FAILING_EVERY === 0;
      if (!isFailing && hour % 24 !== 0) continue;
      recorder.count(key, 'GET /v1/products', isFailing ? 400 : 200);
      if (!isFailing) continue;
      const failure = {
        client: 'Ledger 7',
        method: 'GET',
        path: '/v1/products',
        parameters: '["colour"]',
        status: 400,
        error: 'unrecognized_parameters',
        message: 'The following parameters were provided but are not recognized: colour.',
        request_id: `${hour}-${merchantId}`,
      };
      recorder.log(key, failure, { isRefused: false });
    }
    await recorder.flush();
  }
}
