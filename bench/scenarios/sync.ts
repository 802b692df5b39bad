import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../engines/engine.ts';
import { get, send } from '../measuring/client.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { SteadyWriter } from '../measuring/steady-writer.ts';
import { changeableVariations, databaseOf } from '../service/build-database.ts';
import { type Server, serve, tokenOf } from '../service/servers.ts';

/** Writes change these first products, except for deleted ones. */
const WRITTEN = 2_000;
const WRITES_PER_SECOND = 200;
const ROUNDS = 60;
const CRAWLED = 400;
const CHANGES = 100;

/** Each call reads the next page where that makes a difference. */
interface Read {
  name: string;
  next(): Promise<number>;
}

/**
 * Measures what clients that stay in sync wait for, with a million products: reads during 200 stock changes
 * per second compared to none, a page of changes compared to a page, and a crawl by changes compared to one
 * by page numbers.
 */
export async function sync(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const [name, products] = short ? ['sync-short', 100_000] : ['sync', 1_000_000];
  const settings = await databaseOf(engine, name, [products]);
  await using server = await serve(settings);
  const token = await tokenOf(settings, 'm1');
  const client = new Client(server, token, products / 50);
  const figures = [await client.compareCrawls(), await client.comparePageOfChanges()];
  // Pages of earlier changes, because there are no new ones.
  const quiet = await client.measureReads('start');
  const latest = await client.latestCursor();
  // One product after the other.
  const writer = new SteadyWriter((count) => client.change(count).send(), WRITES_PER_SECOND);
  const busy = await client.measureReads(latest);
  const written = await writer.stop();
  for (const [name, times] of quiet) {
    const base = measured(times).median;
    const during = busy.get(name) ?? [];
    figures.push({
      name: `${name}: with ${WRITES_PER_SECOND} changes of stock per second ÷ without`,
      ...measured(during.map((milliseconds) => milliseconds / base)),
      bound: { atMost: 3 },
      notes: `${measured(during).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms; ${written} writes`,
    });
  }
  return figures;
}

class Client {
  readonly #url: string;
  readonly #lastPage: number;

  constructor({ baseUrl }: Server, token: string, lastPage: number) {
    this.#url = `${baseUrl}/products.json?access_token=${token}`;
    this.#lastPage = lastPage;
  }

  async #read(query: string): Promise<{ milliseconds: number; body: Buffer; next: string | undefined }> {
    const { status, body, milliseconds, link } = await get(`${this.#url}${query}`);
    if (status !== 200) throw new Error(`status ${status} for ${query}: ${body}`);
    const [, after] = /after=([\w-]+)>; rel="next"/.exec(link) ?? [];
    return { milliseconds, body, next: after };
  }

  async #readChanges(cursor: string, perPage: number): Promise<{ milliseconds: number; cursor: string }> {
    const { milliseconds, body } = await this.#read(`&changed_since=${cursor}&per_page=${perPage}`);
    return { milliseconds, cursor: JSON.parse(body.toString()).cursor };
  }

  /** Compares the first crawl by `changed_since` to one by `page`, in alternating parts. */
  async compareCrawls(): Promise<Figure> {
    const ratios: number[] = [];
    let cursor = 'start';
    for (let part = 0; part < 10; part += 1) {
      let [byPage, byChange] = [0, 0];
      for (let index = 1; index <= CRAWLED / 10; index += 1) {
        byPage += (await this.#read(`&page=${(part * CRAWLED) / 10 + index}`)).milliseconds;
        const read = await this.#readChanges(cursor, 50);
        byChange += read.milliseconds;
        cursor = read.cursor;
      }
      ratios.push(byPage / byChange);
    }
    const name = 'pages per second of a crawl by changed_since ÷ by page';
    return { name, ...measured(ratios), bound: { atLeast: 0.9 }, notes: `${CRAWLED} pages of 50 each` };
  }

  change(count: number): Change {
    return new Change(this.#url, count);
  }

  /** Compares a page of 100 changes at the end to an uncached page of 100. */
  async comparePageOfChanges(): Promise<Figure> {
    const ratios: number[] = [];
    let cursor = await this.latestCursor();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let count = 0; count < CHANGES; count += 1) await this.change(count).send();
      const changes = await this.#readChanges(cursor, CHANGES);
      cursor = changes.cursor;
      const page = await this.#read(`&per_page=${CHANGES}`);
      ratios.push(changes.milliseconds / page.milliseconds);
    }
    const name = 'changed_since with 100 changes ÷ a page of 100';
    return { name, ...measured(ratios), bound: { atMost: 2 }, notes: 'both uncached' };
  }

  /** Returns the cursor at the end of the changes: new writes come after it. */
  async latestCursor(): Promise<string> {
    let cursor = 'start';
    for (;;) {
      const { body } = await this.#read(`&changed_since=${cursor}&per_page=1000`);
      const read = JSON.parse(body.toString());
      cursor = read.cursor;
      if (!read.more) return cursor;
    }
  }

  async measureReads(cursor: string): Promise<Map<string, number[]>> {
    let after = (await this.#read('')).next;
    let since = cursor;
    const reads: Read[] = [
      { name: 'page 1', next: async () => (await this.#read('')).milliseconds },
      {
        name: 'the last page by page',
        next: async () => (await this.#read(`&page=${this.#lastPage}`)).milliseconds,
      },
      {
        name: 'a crawl by after',
        next: async () => {
          const read = await this.#read(`&page=2&after=${after}`);
          after = read.next;
          return read.milliseconds;
        },
      },
      {
        name: 'a filter',
        next: async () => (await this.#read('&status=in_stock&category=Home+%7C+Kitchen')).milliseconds,
      },
      {
        name: 'changed_since',
        next: async () => {
          const read = await this.#readChanges(since, CHANGES);
          since = read.cursor;
          return read.milliseconds;
        },
      },
    ];
    const times = new Map(reads.map(({ name }): [string, number[]] => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, next } of reads) times.get(name)?.push(await next());
      await pause(20);
    }
    return times;
  }
}

const variations = changeableVariations(WRITTEN, 1);

class Change {
  readonly #url: string;
  readonly #form: string;

  constructor(url: string, count: number) {
    this.#url = url.replace('/products.json', '/variations/update.json');
    this.#form = `identifier=${variations[count % variations.length]}&quantity=${Math.floor(Math.random() * 10_000)}`;
  }

  /** @throws {Error} with the response if it is an error */
  async send(): Promise<void> {
    const { status, body } = await send(this.#url, this.#form);
    if (status !== 200) throw new Error(`status ${status} for ${this.#form}: ${body}`);
  }
}
