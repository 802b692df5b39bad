import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import { importProducts } from '../../src/products/files/import-products.ts';
import { sorts } from '../../src/products/list/listing.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import type { Engine } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { databaseOf, generateDrafts, parsedBatches } from '../service/build-database.ts';
import { type CatalogClient, catalogClient } from '../service/catalog-client.ts';
import { serve } from '../service/servers.ts';

const MILLION = 1_000_000;
const THOUSAND = 1_000;
const REPEATS = 25;
/** A cold page in the middle counts half a million index entries. In ms. */
const coldBounds = { sqlite: { atMost: 50 }, postgres: { atMost: 150 } };

/** A page to request from both merchants. */
interface Question {
  name: string;
  query: string;
  /** Requests the last page of the catalog, after the one before it. */
  last?: true;
}

const questions: Question[] = [
  { name: 'page 1', query: '' },
  { name: 'the last page after the one before it', query: '', last: true },
  { name: 'page 1 with the flag', query: '&pagination=true' },
  { name: 'page 1 by category', query: '&category=Home+%7C+Kitchen' },
  {
    name: 'page 1 of in_stock by category and ratings_descending',
    query: '&status=in_stock&category=Home+%7C+Kitchen&sort=ratings_descending',
  },
  ...Object.keys(sorts).map((sort) => ({ name: `page 1 by ${sort}`, query: `&sort=${sort}` })),
  ...productStatuses.map((status) => ({ name: `page 1 of ${status}`, query: `&status=${status}` })),
];

/** Measures how much longer a merchant with a million products waits than one with a thousand. */
export async function million(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'million', [MILLION, ...Array<number>(1_000).fill(THOUSAND)]);
  await using server = await serve(settings);
  const { readyAfter } = server;
  const database = await openDatabase(parseConfig(settings), Date.now());
  const large = await catalogClient(server, { settings, database }, 'm1', MILLION);
  const small = await catalogClient(server, { settings, database }, 'm2', THOUSAND);
  const figures: Figure[] = [
    { name: 'ready, in ms after the start', ...measured([readyAfter]), bound: { atMost: 1000 }, notes: '' },
  ];
  for (const question of questions) figures.push(await compare(question, large, small));
  figures.push(await compareUnderWrites(database, large, small));
  figures.push({
    name: 'a page in the middle, cold, in ms',
    ...measured(await coldMiddle(large)),
    bound: coldBounds[engine.name],
    notes: '',
  });
  figures.push(await crawl(large));
  figures.push({
    name: 'resident after all of this, in MB',
    ...measured([server.resident()]),
    bound: { atMost: 250 },
    notes: '',
  });
  await database.close();
  return figures;
}

/** Measures one request after the caches of this catalog were invalidated. */
async function time({ query, last }: Question, client: CatalogClient): Promise<number> {
  await client.touch();
  if (!last) return await client.get(query);
  await client.get(`${query}&page=${client.pages - 1}`);
  return await client.get(`${query}&page=${client.pages}`);
}

async function compare(question: Question, large: CatalogClient, small: CatalogClient): Promise<Figure> {
  const ratios: number[] = [];
  const times: number[] = [];
  const timesSmall: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    timesSmall.push(await time(question, small));
    times.push(await time(question, large));
  }
  const base = measured(timesSmall).median;
  ratios.push(...times.map((milliseconds) => milliseconds / base));
  return {
    name: `${question.name}: a million ÷ a thousand`,
    ...measured(ratios),
    bound: { atMost: 3 },
    notes: `${measured(times).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms, nothing remembered`,
  };
}

/** Measures the last page, after the one before it, while two products per second are imported. */
async function compareUnderWrites(
  database: Database,
  large: CatalogClient,
  small: CatalogClient,
): Promise<Figure> {
  const merchant = await findMerchant({ database }, 'm1');
  const options = {
    merchants: itemMerchants(database, merchant),
    dryRun: false,
    onRejected: () => {},
    onRepeated: () => {},
  };
  const coming = generateDrafts(1_000, 1).map((draft) => ({
    ...draft,
    identifier: `${draft.identifier}-${Date.now()}`,
    variations: [],
  }));
  const importing: Promise<unknown>[] = [];
  const writing = setInterval(() => {
    const batches = parsedBatches(coming.take(1));
    importing.push(
      importProducts({ database, now: Date.now, lowInventory: 5, authority: 'operator' }, batches, options),
    );
  }, 500);
  const timesLarge: number[] = [];
  const timesSmall: number[] = [];
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    for (const [client, times] of [
      [small, timesSmall],
      [large, timesLarge],
    ] as const) {
      await client.get(`&page=${client.pages - 1}`);
      times.push(await client.get(`&page=${client.pages}`));
    }
  }
  clearInterval(writing);
  await Promise.all(importing);
  const base = measured(timesSmall).median;
  return {
    name: 'the last page while two products a second come in: a million ÷ a thousand',
    ...measured(timesLarge.map((milliseconds) => milliseconds / base)),
    bound: { atMost: 3 },
    notes: `${timesLarge.length} times`,
  };
}

async function coldMiddle(large: CatalogClient): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await large.touch();
    times.push(await large.get(`&page=${Math.round(large.pages / 2) + repeat}`));
  }
  return times;
}

/** Requests all pages in turn, and compares the last tenth of them to the first. */
async function crawl(large: CatalogClient): Promise<Figure> {
  await large.touch();
  const times: number[] = [];
  for (let page = 1; page <= large.pages; page += 1) times.push(await large.get(`&page=${page}`));
  const tenth = Math.floor(times.length / 10);
  const sum = (part: number[]): number => part.reduce((total, milliseconds) => total + milliseconds, 0);
  const ratio = sum(times.slice(-tenth)) / sum(times.slice(0, tenth));
  return {
    name: 'full crawl: last tenth ÷ first tenth',
    ...measured([ratio]),
    bound: { atMost: 1.5 },
    notes: `${times.length} pages in ${(sum(times) / 1000).toFixed(1)} s`,
  };
}
