import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Database, RowWithItems } from '../../database/database.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Statement } from '../../database/statement.ts';
import { countKey, type Listing, listingKey } from './listing.ts';
import type { PageStarts } from './page-starts.ts';
import { countProducts, type Planner } from './plan-listing.ts';
import {
  type FilterValues,
  type From,
  filterValues,
  findStart,
  MAX_RECORDS_ON_LOOP,
  type PageRow,
  type PageStart,
  type Plan,
  powerOfTwoFrom,
  readPage,
  type SortKeyRow,
  type StartRow,
  type StartValues,
  startValues,
} from './queries.ts';
import { orderOf } from './revisions.ts';

type PageRead = RowWithItems<PageRow>;

export interface PageWindow {
  position: number;
  after: SortKeyRow | undefined;
  perPage: number;
}

type ShownPage = PageWindow & { fields: RecordFields };

interface ReadingStart {
  start: PageStart;
  values: StartValues & { offset?: number };
}

/** The product at a position, at one order of the listing; the key is null past the end. */
type FoundStart = SortKeyRow & { order: number };

const FIRST: ReadingStart = { start: 'first', values: {} };

/** Skipping more rows than this blocks the event loop for more than a millisecond or two. */
export const MAX_COST_ON_LOOP = 20_000;
/** The total is checked before more rows than this are skipped. */
const CHECK_TOTAL_ABOVE = 1_000;

/**
 * Reads each page in one statement, from its first product. Finds this product from the nearest known start,
 * if necessary in another statement.
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

  /** Items are as `shownRecord` says. Returns undefined if reading would block the event loop for long. */
  async read(
    listing: Listing,
    planFor: Planner,
    { position, after, perPage, fields }: ShownPage,
  ): Promise<PageRead | undefined> {
    const read = (products: number, start: ReadingStart, size = perPage): Promise<PageRead> =>
      this.#readFrom(listing, planFor(products).plan, start, { perPage: size, fields });
    if (after !== undefined) return await read(perPage, { start: 'after', values: startValues(after) });
    if (position === 0) return await read(perPage, FIRST);
    // Counting to a position past the end would read the whole listing: read only the revisions and the
    // total.
    if (position > CHECK_TOTAL_ABOVE && position >= (await countProducts(this.#database, listing))) {
      const page = await read(0, FIRST, 0);
      if (position >= page.row.total) return page;
    }
    const start = await this.#findStart(listing, planFor, position);
    if (start === undefined) return undefined;
    const page =
      start.key === null
        ? await read(0, FIRST, 0)
        : await read(perPage, { start: 'at', values: startValues(start) });
    if (orderOf(listing, page.row) === start.order) return page;
    if (planFor(position + perPage).cost > MAX_COST_ON_LOOP) return undefined;
    // Products moved between the two statements: count from the first product in the statement that reads.
    return await read(position + perPage, { start: 'counted', values: { offset: position } });
  }

  async hasMore(listing: Listing, planFor: Planner, last: SortKeyRow): Promise<boolean> {
    const row = await this.#find(listing, planFor(1).plan, 'after', { ...startValues(last), offset: 0 });
    return row.key !== null;
  }

  /** Finds the product at a position; its key is null if there is none. Returns undefined like `read`. */
  async #findStart(listing: Listing, planFor: Planner, position: number): Promise<FoundStart | undefined> {
    const name = listingKey(listing);
    const near = this.#starts.nearest(name, position);
    if (near?.position === position) return near;
    const offset = position - (near?.position ?? 0);
    const { plan, cost } = planFor(offset);
    if (cost > MAX_COST_ON_LOOP) return undefined;
    const from = near === undefined ? 'first' : 'at';
    const row = await this.#find(listing, plan, from, { ...startValues(near), offset });
    const { key, internal_id } = row;
    const order = orderOf(listing, row);
    if (near !== undefined && near.order !== order) {
      // The known start may have moved.
      this.#starts.forgetBefore(name, order);
      return await this.#findStart(listing, planFor, position);
    }
    if (key !== null && internal_id !== null) {
      this.#starts.remember(name, { order, key, internal_id, position });
    }
    return { order, key, internal_id };
  }

  async #find(
    listing: Listing,
    plan: Plan,
    from: From,
    values: StartValues & { offset: number },
  ): Promise<StartRow> {
    const statement = getOrCreate(this.#findStatements, `${shapeOf(listing, plan)} ${from}`, () =>
      findStart(listing, plan, from, this.#database.dialect),
    );
    const row = await this.#database.first(statement, { ...filterValues(listing), ...values });
    if (row === undefined) throw missingMerchant(listing.merchantId);
    return row;
  }

  async #readFrom(
    listing: Listing,
    plan: Plan,
    { start, values }: ReadingStart,
    { perPage, fields }: Pick<ShownPage, 'perPage' | 'fields'>,
  ): Promise<PageRead> {
    const roundedSize = powerOfTwoFrom(perPage);
    const statement = getOrCreate(
      this.#readStatements,
      `${shapeOf(listing, plan)} ${start} ${roundedSize} ${fields}`,
      () => readPage(listing, plan, start, { roundedSize, fields }, this.#database.dialect),
    );
    const parameters = { ...filterValues(listing), ...countKey(listing), ...values, limit: perPage };
    const read =
      perPage <= MAX_RECORDS_ON_LOOP
        ? await this.#database.firstWithItems(statement, parameters)
        : await this.#offLoop.firstWithItems(listing.merchantId, statement, parameters);
    if (read === undefined) throw missingMerchant(listing.merchantId);
    return read;
  }
}

/** Listings with the same key have the same SQL. */
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
