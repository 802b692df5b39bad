import type { Database, RowWithItems, Statement } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { countKey, type Listing, listingKey } from './listing.ts';
import type { PageStarts } from './page-starts.ts';
import { countProducts, type Planner } from './plan-listing.ts';
import {
  type FilterValues,
  filterValues,
  findStart,
  type PageRow,
  type PageStart,
  type Plan,
  powerOfTwoFrom,
  readPage,
  type StartRow,
  type StartValues,
  startValues,
} from './queries.ts';

export type PageRead = RowWithItems<PageRow>;

/** The part of a listing to read. `revision` is the catalog's latest known one. */
interface PageWindow {
  position: number;
  perPage: number;
  revision: number;
}

/** Where to start reading, and the parameters for it. */
interface ReadingStart {
  start: PageStart;
  values: StartValues & { offset?: number };
}

const FIRST: ReadingStart = { start: 'first', values: {} };

/** Pages of more products than this are read off the event loop: a thousand take 5 to 10 ms. */
const MAX_RECORDS_ON_LOOP = 200;
/** Reads that skip more rows than this would block the event loop for more than a millisecond or two. */
export const MAX_COST_ON_LOOP = 20_000;
/** The total is checked before more rows than this are skipped. */
const CHECK_TOTAL_ABOVE = 1_000;

/**
 * Reads each page in one statement, from the product at which it starts. Finds this product from the nearest known start,
 * in another statement if necessary.
 */
export class PageReader {
  readonly #database: Database;
  readonly #offLoop: OffLoopReads;
  readonly #starts: PageStarts;
  readonly #findStatements = new Map<
    string,
    Statement<FilterValues & StartValues & { offset: number }, StartRow>
  >();
  readonly #readStatements = new Map<string, ReturnType<typeof readPage>>();

  constructor(database: Database, offLoop: OffLoopReads, starts: PageStarts) {
    this.#database = database;
    this.#offLoop = offLoop;
    this.#starts = starts;
  }

  /** Reads a page; undefined if that would block the event loop for too long. */
  async read(
    listing: Listing,
    planFor: Planner,
    { position, perPage, revision }: PageWindow,
  ): Promise<PageRead | undefined> {
    const read = (products: number, start: ReadingStart, size = perPage): Promise<PageRead> =>
      this.#readFrom(listing, planFor(products).plan, start, size);
    if (position === 0) return await read(perPage, FIRST);
    const start = await this.#findStart(listing, planFor, position, revision);
    if (start === undefined) return undefined;
    // Past the end, only the revision and the total are read.
    const page =
      start.key === null
        ? await read(0, FIRST, 0)
        : await read(perPage, { start: 'known', values: startValues(start) });
    if (page.row.revision === start.revision) return page;
    if (planFor(position + perPage).cost > MAX_COST_ON_LOOP) return undefined;
    // The catalog changed between the two statements, so one statement counts from the first product and reads the page.
    return await read(position + perPage, { start: 'counted', values: { offset: position } });
  }

  /** Finds the product at a position; its key is null if there is none. Returns undefined in the same case as `read`. */
  async #findStart(
    listing: Listing,
    planFor: Planner,
    position: number,
    revision: number,
  ): Promise<StartRow | undefined> {
    const key = listingKey(listing);
    const near = this.#starts.nearest(key, revision, position);
    if (near?.position === position) return near;
    const offset = position - (near?.position ?? 0);
    // Counting to a position far past the end would read the whole listing for nothing, so the counters are checked
    // first. If they are newer than the revision, `read` notices the new revision and reads the page again.
    if (offset > CHECK_TOTAL_ABOVE && position >= (await countProducts(this.#database, listing))) {
      return { revision, key: null, internal_id: null };
    }
    const { plan, cost } = planFor(offset);
    if (cost > MAX_COST_ON_LOOP) return undefined;
    const hasStart = near !== undefined;
    const statement = getOrCreate(this.#findStatements, `${shapeOf(listing, plan)} ${hasStart}`, () =>
      findStart(listing, plan, hasStart, this.#database.dialect),
    );
    const row = await this.#database.first(statement, {
      ...filterValues(listing),
      ...startValues(near),
      offset,
    });
    if (row === undefined) throw new Error('The caller’s merchant does not exist.');
    // The known start may have moved since its revision.
    if (near !== undefined && row.revision !== near.revision) {
      return await this.#findStart(listing, planFor, position, row.revision);
    }
    if (row.key !== null && row.internal_id !== null) {
      this.#starts.remember(key, { ...row, key: row.key, internal_id: row.internal_id, position });
    }
    return row;
  }

  async #readFrom(
    listing: Listing,
    plan: Plan,
    { start, values }: ReadingStart,
    perPage: number,
  ): Promise<PageRead> {
    const roundedSize = powerOfTwoFrom(perPage);
    const statement = getOrCreate(
      this.#readStatements,
      `${shapeOf(listing, plan)} ${start} ${roundedSize}`,
      () => readPage(listing, plan, start, roundedSize, this.#database.dialect),
    );
    const parameters = { ...filterValues(listing), ...countKey(listing), ...values, limit: perPage };
    const read =
      perPage <= MAX_RECORDS_ON_LOOP
        ? await this.#database.firstWithItems(statement, parameters)
        : await this.#offLoop.firstWithItems(listing.merchantId, statement, parameters);
    if (read === undefined) throw new Error('The caller’s merchant does not exist.');
    return read;
  }
}

/** Returns a key for statements: listings with the same key have the same SQL. */
function shapeOf({ status, category, sort }: Listing, plan: Plan): string {
  return `${plan} ${sort.field} ${sort.direction} ${status !== undefined} ${category?.length}`;
}

function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
