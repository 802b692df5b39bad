import { setTimeout as pause } from 'node:timers/promises';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement } from '../../src/database/statement.ts';
import { filters, sorts } from '../../src/orders/list/sorts.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import { get, send } from '../measuring/client.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { SteadyWriter } from '../measuring/steady-writer.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { fillOrders, generateOrderDrafts, untilNumbered } from '../service/orders.ts';
import { type Server, serve, tokenOf } from '../service/servers.ts';

const PRODUCTS = 200;
const THOUSAND = 1_000;
const PER_PAGE = 50;
const CHANGES = 100;
const CRAWLED = 400;
const WRITES_PER_SECOND = 200;
const READS_UNDER_WRITES = 60;
/** As many orders change in turn. */
const WRITTEN = 2_000;

const raiseRevision = statement<{ name: string }, never>(
  `UPDATE order_counters SET moved_revision = moved_revision + 1
   WHERE merchant_id = (SELECT id FROM merchants WHERE name = :name)`,
);

/** Returns the query of a page of a list. */
type PageOf = (client: OrderClient, list: string) => Promise<string>;

const pages: Record<string, PageOf> = {
  'first page': async () => '',
  'page in the middle': async (client, list) => `&page=${await client.middle(list)}`,
  'last page': async (client, list) => `&page=${await client.pages(list)}`,
  'page in the middle by after': async (client, list) => client.after(list, await client.middle(list)),
  'last page by after': async (client, list) => client.after(list, await client.pages(list)),
};

/**
 * Measures how much longer a merchant with a million orders waits for a page than one with a thousand, for
 * each filter, sort and kind of page, and what following changes costs.
 */
export async function orderLists(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const [count, repeats] = short ? [100_000, 5] : [1_000_000, 9];
  const settings = await ordersOf(engine, short ? 'order-lists-short' : 'order-lists', [count, THOUSAND]);
  await using server = await serve(settings);
  await untilNumbered(settings);
  const database = await openDatabase(parseConfig(settings), Date.now());
  try {
    const large = await OrderClient.of(server, settings, database, 'm1');
    const small = await OrderClient.of(server, settings, database, 'm2');
    const figures: Figure[] = [];
    for (const filter of Object.keys(filters)) {
      for (const [page, queryOf] of Object.entries(pages)) {
        const compared: Compared[] = [];
        for (const sort of Object.keys(sorts)) {
          const list = `&filter=${filter}&sort=${sort}`;
          compared.push({ sort, ...(await compare([large, small], list, queryOf, repeats)) });
        }
        figures.push(worst(`filter=${filter}, ${page}`, count, compared));
      }
    }
    const start = await compare([large, small], '', async () => '&changed_since=start', repeats);
    figures.push(worst('changed_since=start', count, [{ sort: 'any', ...start }]));
    figures.push(await large.compareCrawls(), await large.comparePageOfChanges());
    figures.push(...(await compareUnderWrites(large)));
    return figures;
  } finally {
    await database.close();
  }
}

/** Compares reads during 200 changes of orders per second to the same without them. */
async function compareUnderWrites(client: OrderClient): Promise<Figure[]> {
  const list = '&filter=unfulfilled&sort=fulfillment_due_date_asc';
  const [middle, last] = [await client.middle(list), await client.pages(list)];
  const after = await client.after(list, middle);
  const latest = await client.latestCursor();
  const readsSince = (cursor: string): Record<string, string> => ({
    'first page': list,
    'page in the middle': `${list}&page=${middle}`,
    'last page': `${list}&page=${last}`,
    'page in the middle by after': `${list}${after}`,
    changed_since: `&changed_since=${cursor}&per_page=${CHANGES}`,
  });
  const measure = async (cursor: string): Promise<Record<string, number[]>> => {
    const reads = readsSince(cursor);
    const times = Object.fromEntries(Object.keys(reads).map((name) => [name, [] as number[]]));
    for (let round = 0; round < READS_UNDER_WRITES; round += 1) {
      for (const [name, query] of Object.entries(reads)) times[name]?.push(await client.time(query));
      await pause(20);
    }
    return times;
  };
  // Earlier changes, because there are no new ones.
  const quiet = await measure('start');
  const write = (count: number): Promise<void> => client.annotate(1 + (count % WRITTEN), `Note ${count}`);
  const writer = new SteadyWriter(write, WRITES_PER_SECOND);
  const busy = await measure(latest);
  const written = await writer.stop();
  return Object.keys(quiet).map((name) => {
    const base = measured(quiet[name] ?? []).median;
    const during = busy[name] ?? [];
    return {
      name: `${name}: with ${WRITES_PER_SECOND} changes of orders per second ÷ without`,
      ...measured(during.map((milliseconds) => milliseconds / base)),
      bound: { atMost: 3 },
      notes: `${measured(during).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms; ${written} writes`,
    };
  });
}

/** Builds a database with orders on first use, and keeps it. */
async function ordersOf(engine: Engine, name: string, counts: readonly number[]): Promise<Settings> {
  const isKept = await engine.has(name);
  if (!isKept) {
    const unfinished = `${name}_orders`;
    await engine.drop(unfinished);
    const settings = await databaseOf(
      engine,
      unfinished,
      counts.map(() => PRODUCTS),
    );
    const database = await openDatabase(parseConfig(settings), Date.now());
    for (const [index, count] of counts.entries()) {
      const products = [...generateDrafts(PRODUCTS, index + 1)];
      await fillOrders({ settings, database }, `m${index + 1}`, generateOrderDrafts(count, { products }));
    }
    await database.updateStatistics();
    await database.close();
    await engine.rename(unfinished, name);
  }
  return engine.settings(name);
}

interface Compared {
  sort: string;
  /** In ms. */
  large: number[];
  small: number[];
}

/** Requests a page of the large and of the small merchant in turn, each time as after a change. */
async function compare(
  [large, small]: readonly [OrderClient, OrderClient],
  list: string,
  queryOf: PageOf,
  repeats: number,
): Promise<Omit<Compared, 'sort'>> {
  const times: Omit<Compared, 'sort'> = { large: [], small: [] };
  const queries = { large: await queryOf(large, list), small: await queryOf(small, list) };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    times.small.push(await small.time(`${list}${queries.small}`));
    times.large.push(await large.time(`${list}${queries.large}`));
  }
  return times;
}

/** The figure of the sort with the largest ratio. */
function worst(name: string, count: number, compared: readonly Compared[]): Figure {
  const all = compared.map(({ sort, large, small }) => {
    const base = measured(small).median;
    const ratios = measured(large.map((milliseconds) => milliseconds / base));
    return { sort, ratios, text: `${measured(large).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms` };
  });
  all.sort((one, other) => other.ratios.median - one.ratios.median);
  const [first] = all;
  if (first === undefined) throw new Error('no sort');
  const others = all.slice(1).map(({ sort, ratios }) => `${sort} ${ratios.median.toFixed(2)}`);
  return {
    name: `${name}: ${count.toLocaleString('en')} orders ÷ ${THOUSAND.toLocaleString('en')}`,
    ...first.ratios,
    bound: { atMost: 3 },
    notes: [`${first.sort}: ${first.text}`, ...others].join('; '),
  };
}

class OrderClient {
  readonly #url: string;
  readonly #changeUrl: string;
  readonly #database: Database;
  readonly #merchant: string;

  private constructor(urls: { list: string; change: string }, database: Database, merchant: string) {
    this.#url = urls.list;
    this.#changeUrl = urls.change;
    this.#database = database;
    this.#merchant = merchant;
  }

  static async of(
    { baseUrl }: Server,
    settings: Settings,
    database: Database,
    merchant: string,
  ): Promise<OrderClient> {
    const token = await tokenOf(settings, merchant);
    const urls = {
      list: `${baseUrl}/orders.json?access_token=${token}`,
      change: `${baseUrl}/orders/annotate.json?access_token=${token}`,
    };
    return new OrderClient(urls, database, merchant);
  }

  /** Resolves to the time to the last byte of a page, in ms, with empty caches, as after a change. */
  async time(query: string): Promise<number> {
    await this.#database.transaction((connection) => connection.run(raiseRevision, { name: this.#merchant }));
    return (await this.#read(query)).milliseconds;
  }

  async pages(list: string): Promise<number> {
    const { body } = await this.#read(`${list}&pagination=true&per_page=1`);
    const summary = JSON.parse(body.toString()) as { total_entries: number };
    return Math.ceil(summary.total_entries / PER_PAGE);
  }

  async middle(list: string): Promise<number> {
    return Math.ceil(((await this.pages(list)) + 1) / 2);
  }

  /** Returns the query of a page by the cursor of the page before it. */
  async after(list: string, page: number): Promise<string> {
    const { link } = await this.#read(`${list}&page=${page - 1}`);
    const [, after] = /after=([\w-]+)>; rel="next"/.exec(link) ?? [];
    if (after === undefined) throw new Error(`no next page in ${link}`);
    return `&page=${page}&after=${after}`;
  }

  /** Compares the first crawl by `changed_since` to one by `page`, in alternating parts. */
  async compareCrawls(): Promise<Figure> {
    const ratios: number[] = [];
    let cursor = 'start';
    for (let part = 0; part < 10; part += 1) {
      let [byPage, byChange] = [0, 0];
      for (let index = 1; index <= CRAWLED / 10; index += 1) {
        byPage += (await this.#read(`&page=${(part * CRAWLED) / 10 + index}`)).milliseconds;
        const read = await this.#readChanges(cursor, PER_PAGE);
        byChange += read.milliseconds;
        cursor = read.cursor;
      }
      ratios.push(byPage / byChange);
    }
    const name = 'pages per second of a crawl by changed_since ÷ by page';
    return { name, ...measured(ratios), bound: { atLeast: 0.9 }, notes: `${CRAWLED} pages of 50 each` };
  }

  /** Compares a page of 100 changes at the end to an uncached page of 100. */
  async comparePageOfChanges(): Promise<Figure> {
    const ratios: number[] = [];
    let cursor = await this.latestCursor();
    for (let round = 0; round < 30; round += 1) {
      for (let number = 1; number <= CHANGES; number += 1)
        await this.annotate(number, `Round ${round} ${Date.now()}`);
      const changes = await this.#readChanges(cursor, CHANGES);
      cursor = changes.cursor;
      ratios.push(changes.milliseconds / (await this.time(`&per_page=${CHANGES}`)));
    }
    const name = 'changed_since with 100 changes ÷ a page of 100';
    return { name, ...measured(ratios), bound: { atMost: 2 }, notes: 'both uncached' };
  }

  async annotate(number: number, annotation: string): Promise<void> {
    // In some statuses, an order cannot be changed. These are shipped.
    const order_id = String(10 * number + 1);
    const form = String(new URLSearchParams({ order_id, annotation }));
    const { status, body } = await send(this.#changeUrl, form);
    if (status !== 200) throw new Error(`status ${status}: ${body}`);
  }

  async latestCursor(): Promise<string> {
    let cursor = 'start';
    for (;;) {
      const read = await this.#readChanges(cursor, 1_000);
      cursor = read.cursor;
      if (!read.more) return cursor;
    }
  }

  async #readChanges(
    cursor: string,
    perPage: number,
  ): Promise<{ milliseconds: number; cursor: string; more: boolean }> {
    const { milliseconds, body } = await this.#read(`&changed_since=${cursor}&per_page=${perPage}`);
    return { milliseconds, ...(JSON.parse(body.toString()) as { cursor: string; more: boolean }) };
  }

  async #read(query: string): Promise<{ milliseconds: number; body: Buffer; link: string }> {
    const { status, body, milliseconds, link } = await get(`${this.#url}${query}`);
    if (status !== 200) throw new Error(`status ${status} for ${query}: ${body}`);
    return { milliseconds, body, link };
  }
}
