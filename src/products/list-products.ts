import { hash } from 'node:crypto';
import { Cache } from '../cache.ts';
import type { Database, Statement } from '../database/database.ts';
import { JsonBody } from '../http/answer.ts';
import {
  filterValues,
  findCount,
  findStart,
  hasExactIndex,
  type PageRow,
  type Plan,
  readPage,
  type StartRow,
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

const CACHE_BYTES = 32 * 1024 * 1024;
/** To look a product up and sort it costs about as much as to pass over so many in an index. */
const GATHER_COST = 4;

/** Places that are passed over without a thought. */
const FAR = 1_000;

interface Statements {
  find: Statement<StartRow>;
  read: Statement<PageRow>;
}

/** Reads pages of products, and keeps what it read for as long as the catalog's revision stands. */
export class ProductLister {
  readonly #database: Database;
  readonly #starts = new PageStarts();
  readonly #pages = new Cache<ProductPage>(CACHE_BYTES);
  readonly #statements = new Map<string, Statements>();

  constructor(database: Database) {
    this.#database = database;
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
    if (known !== undefined && known.revision === revision) return known;
    const row = await this.#read(listing, (page - 1) * perPage, perPage, revision);
    const etag = `W/"${row.revision.toString(36)}-${hash('sha1', key, 'base64url')}"`;
    const bytes = render(request, row);
    const read = { revision: row.revision, total: row.total, body: new JsonBody(bytes, etag) };
    this.#pages.offer(key, read, bytes.length);
    return read;
  }

  async #read(listing: Listing, position: number, perPage: number, revision: number): Promise<PageRow> {
    const plan = await this.#plan(listing, position + perPage);
    if (position === 0) return await this.#readFrom(listing, plan, undefined, perPage, 0);
    const start = await this.#find(listing, plan, position, revision);
    const limit = start.key === null ? 0 : perPage;
    const row = await this.#readFrom(listing, plan, start, limit, 0);
    // Where the catalog changed between the two, one statement that counts from the first product is right.
    return row.revision === start.revision
      ? row
      : await this.#readFrom(listing, plan, undefined, perPage, position);
  }

  async #plan(listing: Listing, reach: number): Promise<Plan> {
    if (hasExactIndex(listing)) return 'walk';
    const { merchantId, category, sort } = listing;
    const walked = sort.field === 'created_at' ? { status: undefined, category } : {};
    const [all, matching] = await Promise.all([
      this.#count(merchantId, countKey({ status: undefined, category: undefined, ...walked })),
      this.#count(merchantId, countKey(listing)),
    ]);
    return (all * reach) / Math.max(matching, 1) > matching * GATHER_COST ? 'gather' : 'walk';
  }

  async #count(merchantId: number, [status, category]: [string, string]): Promise<number> {
    return (await this.#database.first(findCount, [merchantId, status, category]))?.products ?? 0;
  }

  /** Where the product at a position is, from the nearest place known; key null if there is none. */
  async #find(listing: Listing, plan: Plan, position: number, revision: number): Promise<StartRow> {
    const listingName = listingKey(listing);
    const near = this.#starts.nearest(listingName, revision, position);
    if (near?.position === position) return near;
    const passedOver = position - (near?.position ?? 0);
    // Far beyond the end, counting would go through all of the listing to find nothing: the counters know.
    // Where they are newer than the revision, the page's own revision will tell.
    if (passedOver > FAR && position >= (await this.#count(listing.merchantId, countKey(listing)))) {
      return { revision, key: null, internal_id: null };
    }
    const row = await this.#database.first(this.#statementsFor(listing, plan, near !== undefined).find, [
      ...filterValues(listing),
      ...startValues(near),
      passedOver,
      listing.merchantId,
    ]);
    if (row === undefined) throw new Error('the caller’s merchant is gone');
    // A place counted from one that has moved since is wrong: the revision tells.
    if (near !== undefined && row.revision !== near.revision) {
      return await this.#find(listing, plan, position, row.revision);
    }
    if (row.key !== null && row.internal_id !== null) {
      this.#starts.remember(listingName, { ...row, key: row.key, internal_id: row.internal_id, position });
    }
    return row;
  }

  async #readFrom(
    listing: Listing,
    plan: Plan,
    start: StartRow | undefined,
    limit: number,
    offset: number,
  ): Promise<PageRow> {
    const from = start !== undefined && start.key !== null;
    const row = await this.#database.first(this.#statementsFor(listing, plan, from).read, [
      ...countKey(listing),
      ...filterValues(listing),
      ...startValues(start),
      limit,
      offset,
      listing.merchantId,
    ]);
    if (row === undefined) throw new Error('the caller’s merchant is gone');
    return row;
  }

  #statementsFor(listing: Listing, plan: Plan, from: boolean): Statements {
    const { status, category, sort } = listing;
    const shape = `${plan} ${from} ${sort.field} ${sort.direction} ${status !== undefined} ${category?.length}`;
    let statements = this.#statements.get(shape);
    if (statements === undefined) {
      statements = {
        find: findStart(listing, plan, from),
        read: readPage(listing, plan, from, this.#database.dialect),
      };
      this.#statements.set(shape, statements);
    }
    return statements;
  }
}

function startValues(start: StartRow | undefined): (string | number)[] {
  return start === undefined || start.key === null || start.internal_id === null
    ? []
    : [start.key, start.internal_id];
}

/** The body: the array of records as the database joined it, in the summary's frame where asked for. */
function render({ page, perPage, summary }: PageRequest, { records, total }: PageRow): Buffer {
  const array =
    records === null ? Buffer.from('[]') : Buffer.from(records.buffer, records.byteOffset, records.length);
  if (!summary) return array;
  const position = (page - 1) * perPage;
  const [from, to] = position < total ? [position + 1, Math.min(position + perPage, total)] : [0, 0];
  const figures = `"from":${from},"to":${to},"page":${page},"per_page":${perPage},"total_entries":${total}`;
  return Buffer.concat([Buffer.from('{"results":'), array, Buffer.from(`,${figures}}`)]);
}
