import { OPERATOR } from '../../src/audit/record-audit.ts';
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
/** In ms, for an uncached page in the middle: the engine counts half a million index entries. */
const uncachedBounds = { sqlite: { atMost: 50 }, postgres: { atMost: 150 } };

interface PageRequest {
  name: string;
  query: string;
  /** Requests the catalog's last page, after the one before it. */
  last?: true;
}

const requests: PageRequest[] = [
  { name: 'page 1', query: '' },
  { name: 'last page, right after the one before it', query: '', last: true },
  { name: 'page 1 with pagination=true', query: '&pagination=true' },
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
    { name: 'startup time, in ms', ...measured([readyAfter]), bound: { atMost: 1000 }, notes: '' },
  ];
  for (const request of requests) figures.push(await compare(request, large, small));
  figures.push(await compareUnderWrites(database, large, small));
  figures.push({
    name: 'a page in the middle, uncached, in ms',
    ...measured(await uncachedMiddle(large)),
    bound: uncachedBounds[engine.name],
    notes: '',
  });
  figures.push(await crawl(large));
  figures.push({
    name: 'resident memory at the end, in MB',
    ...measured([server.resident()]),
    bound: { atMost: 250 },
    notes: '',
  });
  await database.close();
  return figures;
}

/** Invalidates the catalog's caches first. */
async function time({ query, last }: PageRequest, client: CatalogClient): Promise<number> {
  await client.touch();
  if (!last) return await client.get(query);
  await client.get(`${query}&page=${client.pages - 1}`);
  return await client.get(`${query}&page=${client.pages}`);
}

async function compare(request: PageRequest, large: CatalogClient, small: CatalogClient): Promise<Figure> {
  const ratios: number[] = [];
  const times: number[] = [];
  const timesSmall: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    timesSmall.push(await time(request, small));
    times.push(await time(request, large));
  }
  const base = measured(timesSmall).median;
  ratios.push(...times.map((milliseconds) => milliseconds / base));
  return {
    name: `${request.name}: a million ÷ a thousand`,
    ...measured(ratios),
    bound: { atMost: 3 },
    notes: `${measured(times).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms, uncached`,
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
  const newDrafts = generateDrafts(1_000, 1).map((draft) => ({
    ...draft,
    identifier: `${draft.identifier}-${Date.now()}`,
    variations: [],
  }));
  const importing: Promise<unknown>[] = [];
  const writing = setInterval(() => {
    const batches = parsedBatches(newDrafts.take(1));
    importing.push(
      importProducts(
        { database, now: Date.now, who: OPERATOR, lowInventory: 5, authority: 'operator' },
        batches,
        options,
      ),
    );
  }, 500);
  const timesLarge: number[] = [];
  const timesSmall: number[] = [];
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
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
    name: 'last page while two products per second are imported: a million ÷ a thousand',
    ...measured(timesLarge.map((milliseconds) => milliseconds / base)),
    bound: { atMost: 3 },
    notes: `${timesLarge.length} requests`,
  };
}

async function uncachedMiddle(large: CatalogClient): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await large.touch();
    times.push(await large.get(`&page=${Math.round(large.pages / 2) + repeat}`));
  }
  return times;
}

/** Requests all pages in turn, and compares the last tenth to the first. */
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
