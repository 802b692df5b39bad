import { hash } from 'node:crypto';
import { Cache } from '../cache.ts';
import type { Database, RowWithItems, Statement } from '../database/database.ts';
import { JsonBody } from '../http/answer.ts';
import {
  type Begin,
  filterValues,
  findCount,
  findStart,
  hasExactIndex,
  isFilteredInIndex,
  type PageRow,
  type Plan,
  powerOfTwoFrom,
  readPage,
  type StartRow,
  startValues,
} from './list-queries.ts';
import { countKey, type Listing, listingKey } from './listing.ts';
import { PageStarts } from './page-starts.ts';

/** One page of a listing. `page` counts from 1; `summary` asks for the object with the totals. */
export interface PageRequest {
  listing: Listing;
  page: number;
  perPage: number;
  summary: boolean;
}

/** A page as it was at one revision of the catalog. */
export interface ProductPage {
  revision: number;
  /** Products that the filter matches. */
  total: number;
  /** A JSON array of product records, or the pagination summary with them. */
  body: JsonBody;
}

type PageRead = RowWithItems<PageRow>;

/** Where to begin reading, and the parameters that say so. */
interface Place {
  begin: Begin;
  values: (string | number)[];
}

type Planner = (reach: number) => Plan;

const FIRST: Place = { begin: 'first', values: [] };

const CACHE_BYTES = 32 * 1024 * 1024;
/**
 * To look a product up and sort it costs about as much as to pass over so many in an index, and so many that
 * have to be looked up to be passed over.
 */
const GATHER_COST = { inIndex: 25, outsideIndex: 2 };

/** Places that are passed over without a thought. */
const FAR = 1_000;

/** Reads pages of products, and keeps what it read for as long as the catalog's revision stands. */
export class ProductLister {
  readonly #database: Database;
  readonly #onPage: (found: boolean) => void;
  readonly #starts = new PageStarts();
  readonly #pages = new Cache<ProductPage>(CACHE_BYTES);
  readonly #finding = new Map<string, Statement<StartRow>>();
  readonly #reading = new Map<string, Statement<PageRow>>();

  /** `onPage` is told of each page whether it came from memory. */
  constructor(database: Database, onPage: (found: boolean) => void = () => {}) {
    this.#database = database;
    this.#onPage = onPage;
  }

  /**
   * The page asked for. `revision` is the catalog's as this very request has read it: only a page of
   * that revision may come from memory. All of a page is of one moment, and pages of one revision
   * never overlap or skip (specification, 4.1; contract, “List products”).
   */
  async list(request: PageRequest, revision: number): Promise<ProductPage> {
    const { listing, page, perPage, summary } = request;
    const key = `${listingKey(listing)} ${page} ${perPage} ${summary}`;
    const known = this.#pages.get(key);
    const found = known !== undefined && known.revision === revision;
    this.#onPage(found);
    if (found) return known;
    const { row, items } = await this.#read(listing, (page - 1) * perPage, perPage, revision);
    const { revision: readRevision, total } = row;
    const etag = `W/"${readRevision.toString(36)}-${hash('sha1', key, 'base64url')}"`;
    const bytes = render(request, items, total);
    const read = { revision: readRevision, total, body: new JsonBody(bytes, etag) };
    this.#pages.offer(key, read, bytes.length);
    return read;
  }

  async #read(listing: Listing, position: number, perPage: number, revision: number): Promise<PageRead> {
    const planFor = await this.#planner(listing);
    if (position === 0) return await this.#readFrom(listing, planFor(perPage), FIRST, perPage);
    const start = await this.#find(listing, planFor, position, revision);
    const values = startValues(listing, start);
    const read =
      start.key === null
        ? await this.#readFrom(listing, planFor(0), FIRST, 0)
        : await this.#readFrom(listing, planFor(perPage), { begin: 'known', values }, perPage);
    if (read.row.revision === start.revision) return read;
    // Where the catalog changed between the two, one statement that counts from the first product is right.
    const counted: Place = { begin: 'counted', values: [perPage, position] };
    return await this.#readFrom(listing, planFor(position + perPage), counted, perPage);
  }

  /** Tells how to go through so many products of a listing. */
  async #planner(listing: Listing): Promise<Planner> {
    if (hasExactIndex(listing)) return () => 'walk';
    const { merchantId, category, sort } = listing;
    const walked = sort.field === 'created_at' ? { status: undefined, category } : {};
    const [all, matching] = await Promise.all([
      this.#count(merchantId, countKey({ status: undefined, category: undefined, ...walked })),
      this.#count(merchantId, countKey(listing)),
    ]);
    const cost = isFilteredInIndex(listing) ? GATHER_COST.inIndex : GATHER_COST.outsideIndex;
    return (reach) => ((all * reach) / Math.max(matching, 1) > matching * cost ? 'gather' : 'walk');
  }

  async #count(merchantId: number, [status, category]: [string, string]): Promise<number> {
    return (await this.#database.first(findCount, [merchantId, status, category]))?.products ?? 0;
  }

  /** Where the product at a position is, from the nearest place known; key null if there is none. */
  async #find(listing: Listing, planFor: Planner, position: number, revision: number): Promise<StartRow> {
    const listingName = listingKey(listing);
    const near = this.#starts.nearest(listingName, revision, position);
    if (near?.position === position) return near;
    const passedOver = position - (near?.position ?? 0);
    // Far beyond the end, counting would go through all of the listing to find nothing: the counters know.
    // Where they are newer than the revision, the page's own revision will tell.
    if (passedOver > FAR && position >= (await this.#count(listing.merchantId, countKey(listing)))) {
      return { revision, key: null, internal_id: null };
    }
    const plan = planFor(passedOver);
    const from = near !== undefined;
    const statement = remembered(this.#finding, `${shapeOf(listing, plan)} ${from}`, () =>
      findStart(listing, plan, from, this.#database.dialect),
    );
    const row = await this.#database.first(statement, [
      ...filterValues(listing),
      ...startValues(listing, near),
      passedOver,
      listing.merchantId,
    ]);
    if (row === undefined) throw new Error('the caller’s merchant is gone');
    // A place counted from one that has moved since is wrong: the revision tells.
    if (near !== undefined && row.revision !== near.revision) {
      return await this.#find(listing, planFor, position, row.revision);
    }
    if (row.key !== null && row.internal_id !== null) {
      this.#starts.remember(listingName, { ...row, key: row.key, internal_id: row.internal_id, position });
    }
    return row;
  }

  async #readFrom(
    listing: Listing,
    plan: Plan,
    { begin, values }: Place,
    perPage: number,
  ): Promise<PageRead> {
    const most = powerOfTwoFrom(perPage);
    const statement = remembered(this.#reading, `${shapeOf(listing, plan)} ${begin} ${most}`, () =>
      readPage(listing, plan, begin, most, this.#database.dialect),
    );
    const read = await this.#database.firstWithItems(statement, [
      ...countKey(listing),
      listing.merchantId,
      ...filterValues(listing),
      ...values,
      perPage,
    ]);
    if (read === undefined) throw new Error('the caller’s merchant is gone');
    return read;
  }
}

/** What the statements of a listing depend on. */
function shapeOf({ status, category, sort }: Listing, plan: Plan): string {
  return `${plan} ${sort.field} ${sort.direction} ${status !== undefined} ${category?.length}`;
}

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** The body: the array of records as the database joined it, in the summary's frame where asked for. */
function render({ page, perPage, summary }: PageRequest, items: Uint8Array, total: number): Buffer {
  const array = Buffer.from(items.buffer, items.byteOffset, items.length);
  if (!summary) return array;
  const position = (page - 1) * perPage;
  const [from, to] = position < total ? [position + 1, Math.min(position + perPage, total)] : [0, 0];
  const figures = `"from":${from},"to":${to},"page":${page},"per_page":${perPage},"total_entries":${total}`;
  return Buffer.concat([Buffer.from('{"results":'), array, Buffer.from(`,${figures}}`)]);
}
