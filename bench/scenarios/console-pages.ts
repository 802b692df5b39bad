import { chromium } from 'playwright-core';
import { flags, requireBrowser } from '../../test/support/browser/find-browser.ts';
import type { Engine } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { databaseOf } from '../service/build-database.ts';
import { signIn } from '../service/console-user.ts';
import { serve } from '../service/servers.ts';

const MILLION = 1_000_000;

/** Each click leads to a list that the page has not cached yet. */
const nextPages = Array<string>(9).fill('a[aria-label="Next page"]');
const statuses = [2, 3, 4, 5, 6, 7, 8, 9].map((tab) => `nav[aria-label="Status"] a:nth-child(${tab})`);
// A second click reverses the order. Other columns have one value in all rows of this catalog.
const headers = ['target_price', 'target_price', 'sfb', 'sfb', 'updated_at'].map(
  (sort) => `thead a[href*="sort=${sort}_"]`,
);
const clicks = [
  { name: 'next page', query: '', selectors: nextPages },
  { name: 'status tab', query: '', selectors: statuses },
  { name: 'column header', query: '', selectors: headers },
  {
    name: 'column header, within a category',
    query: '?category=Home+%7C+Kitchen',
    selectors: headers,
  },
  { name: 'column header, within a search', query: '?query=steel', selectors: headers },
  { name: 'next page, within a search', query: '?query=steel', selectors: nextPages },
  {
    name: 'column header, with filters',
    query: '?condition=New&price_from=50&price_below=200&stock_from=1',
    selectors: headers,
  },
  {
    name: 'status tab, with filters',
    query: '?condition=New&price_from=50&price_below=200',
    selectors: statuses.slice(0, 3),
  },
];

/** Clicks and waits for other rows. Runs in the page, to add no latency. */
const untilShown = (selector: string): string => `new Promise((resolve, reject) => {
  const rows = () => document.querySelector('tbody')?.textContent;
  const before = rows();
  const start = performance.now();
  document.querySelector(${JSON.stringify(selector)}).click();
  const check = () => {
    if (performance.now() - start > 10_000) reject(new Error(${JSON.stringify(`no other rows were shown after a click on ${selector}`)}));
    else if (rows() === before) requestAnimationFrame(check);
    else setTimeout(() => resolve(performance.now() - start));
  };
  requestAnimationFrame(check);
})`;

/** Measures the time from a click to the new list, in a browser with a million products. */
export async function consolePages(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'million', [MILLION, ...Array<number>(1_000).fill(1_000)]);
  await using server = await serve(settings);
  const client = await signIn(settings, server.baseUrl, 'm1');
  const browser = await chromium.launch({
    executablePath: requireBrowser(),
    args: flags,
  });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const { origin } = new URL(server.baseUrl);
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: origin })));
  const page = await context.newPage();
  const figures: Figure[] = [];
  const all: number[] = [];
  for (const { name, query, selectors } of clicks) {
    const times: number[] = [];
    await page.goto(`${origin}/console/products${query}`);
    await page.locator('tbody tr').first().waitFor();
    await page.waitForLoadState('networkidle');
    for (const selector of selectors) times.push(Number(await page.evaluate(untilShown(selector))));
    all.push(...times);
    figures.push({ name: `${name}, in ms`, ...measured(times), bound: null, notes: '' });
  }
  await browser.close();
  figures.push({ name: 'all clicks, in ms', ...measured(all), bound: { atMost: 200 }, notes: '' });
  return figures;
}
