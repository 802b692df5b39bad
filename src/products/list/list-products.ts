import { hash } from 'node:crypto';
import { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Database, Reader, RowWithItems, Statement } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { RenderedJson } from '../../http/responses/respond.ts';
import { Cache } from '../../shared/cache.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { findRevision } from '../record/queries.ts';
import { assemble, type FramedPage, frame } from './assemble-page.ts';
import { countKey, type Listing, listingKey } from './listing.ts';
import { PageStarts } from './page-starts.ts';
import { countProducts, type Planner, planListing } from './plan-listing.ts';
import {
  type Begin,
  filterValues,
  findStart,
  type PageRow,
  type Plan,
  powerOfTwoFrom,
  readPage,
  type StartRow,
  startValues,
} from './queries.ts';
import { findPageContents, type PageContents, readRecords } from './read-in-steps.ts';

/** One page of a listing. `page` counts from 1; `summary` asks for the object with the totals. */
export interface PageRequest extends FramedPage {
  listing: Listing;
}

/** A page as it was at one revision of the catalog. */
export interface ProductPage {
  revision: number;
  /** Products that the filter matches. */
  total: number;
  etag: string;
  /**
   * A JSON array of product records, or the pagination summary with them. A page that is too large for memory is in
   * a file, which its reader has to close.
   */
  body: RenderedJson | SpoolFile;
}

type PageRead = RowWithItems<PageRow>;

/** Where to begin reading, and the parameters that say so. */
interface Place {
  begin: Begin;
  values: (string | number)[];
}

/** What a lister needs beside the database. */
export interface ListerOptions {
  offLoop: OffLoopReads;
  /** Where pages that are too large for memory are kept while they are sent. */
  spoolDirectory: string;
  /** How many such pages one merchant may have at once; null for any number. */
  largePages: number | null;
  /** The bytes of responses that each merchant has not read yet. */
  unread: ConcurrentUse;
  /** Called for each page; tells whether it came from memory. */
  onPage?: (found: boolean) => void;
}

const FIRST: Place = { begin: 'first', values: [] };

const CACHE_BYTES = 32 * 1024 * 1024;
/** A page is kept in each form that it was asked for in; compressed, it has about a tenth of its size. */
const WITH_COMPRESSED_FORMS = 1.25;
/** Pages of more products than this are read off the event loop: a thousand take 5 to 10 ms. */
const MAX_RECORDS_ON_LOOP = 200;
/** Reads that pass more rows than this would block the event loop for more than a millisecond or two. */
const MAX_COST_ON_LOOP = 20_000;
/** The total is checked before more rows than this are skipped. */
const CHECK_TOTAL_ABOVE = 1_000;

/** Reads pages of products, and keeps what it read for as long as the catalog's revision stands. */
export class ProductLister {
  readonly #database: Database;
  readonly #spoolDirectory: string;
  readonly #onPage: (found: boolean) => void;
  readonly #largePages: ConcurrentUse;
  readonly #unread: ConcurrentUse;
  readonly #offLoop: OffLoopReads;
  readonly #starts = new PageStarts();
  readonly #pages = new Cache<ProductPage>(CACHE_BYTES);
  readonly #finding = new Map<string, Statement<StartRow>>();
  readonly #reading = new Map<string, Statement<PageRow>>();

  constructor(
    database: Database,
    { offLoop, spoolDirectory, largePages, unread, onPage = () => {} }: ListerOptions,
  ) {
    this.#database = database;
    this.#offLoop = offLoop;
    this.#spoolDirectory = spoolDirectory;
    this.#largePages = new ConcurrentUse('large_pages', largePages);
    this.#unread = unread;
    this.#onPage = onPage;
  }

  /**
   * The page asked for. `revision` is the catalog's as this very request has read it: only a page of
   * that revision may come from memory. All of a page is of one moment, and pages of one revision
   * never overlap or skip (specification, 4.1; contract, “List products”). No page blocks the event loop for long,
   * whatever its size and its place in the listing.
   * @throws {BudgetExceeded} `large_pages`, `unread_bytes`
   * @throws {QueueFull} if too many of this merchant's expensive pages wait already
   */
  async list(request: PageRequest, revision: number): Promise<ProductPage> {
    const { listing, page, perPage, summary } = request;
    const key = `${listingKey(listing)} ${page} ${perPage} ${summary}`;
    const known = this.#pages.get(key);
    const isCached = known !== undefined && known.revision === revision;
    this.#onPage(isCached);
    if (isCached) return known;
    const planFor = await planListing(this.#database, listing);
    this.#unread.requireLeft(listing.merchantId);
    const read =
      (await this.#readDirectly(request, planFor, revision)) ?? (await this.#readOffLoop(request, planFor));
    const etag = `W/"${read.revision.toString(36)}-${hash('sha1', key, 'base64url')}"`;
    if (read.content instanceof SpoolFile) return { ...read, etag, body: read.content };
    const made = { ...read, etag, body: new RenderedJson(read.content, etag) };
    this.#pages.offer(key, made, read.content.length * WITH_COMPRESSED_FORMS);
    return made;
  }

  /** Undefined where that would take too long: a page far from any known place, or one of large records. */
  async #readDirectly(
    request: PageRequest,
    planFor: Planner,
    revision: number,
  ): Promise<{ revision: number; total: number; content: Buffer } | undefined> {
    const { listing, page, perPage } = request;
    const position = (page - 1) * perPage;
    const near = this.#starts.nearest(listingKey(listing), revision, position);
    const { cost } = planFor(position - (near?.position ?? 0) + perPage);
    // A page past the end is empty, however far.
    if (cost > MAX_COST_ON_LOOP && position < (await countProducts(this.#database, listing)))
      return undefined;
    const read = await this.#read(listing, planFor, { position, perPage, revision });
    if (read === undefined || read.leftOut > 0) return undefined;
    const { row, items } = read;
    const [start, end] = frame(request, row.total);
    const array = Buffer.from(items.buffer, items.byteOffset, items.length);
    // The array has its own brackets.
    const content = request.summary ? Buffer.concat([start, array.subarray(1, -1), end]) : array;
    return { ...row, content };
  }

  /** Reads a page of any size and place, in its merchant's turn. */
  async #readOffLoop(
    request: PageRequest,
    planFor: Planner,
  ): Promise<{ revision: number; total: number; content: Buffer | SpoolFile }> {
    const { listing, page, perPage } = request;
    const { dialect } = this.#database;
    const position = (page - 1) * perPage;
    const name = listingKey(listing);
    let file: SpoolFile | undefined;
    const work = async (reader: Reader) => {
      // Others of this merchant's pages may have been sent since this one was asked for.
      this.#unread.requireLeft(listing.merchantId);
      const head = await reader.first(findRevision, [listing.merchantId]);
      const near = this.#starts.nearest(name, head?.revision ?? 0, position);
      const { plan } = planFor(position - (near?.position ?? 0) + perPage);
      const contents = await findPageContents(reader, dialect, { listing, plan, near, position, perPage });
      const { revision, total, first } = contents;
      if (first !== null && first.key !== null && first.internal_id !== null) {
        this.#starts.remember(name, { revision, position, key: first.key, internal_id: first.internal_id });
      }
      const content = await this.#assemble(request, reader, contents);
      if (content instanceof SpoolFile) file = content;
      return { revision, total, content };
    };
    try {
      return await this.#offLoop.snapshot(listing.merchantId, work);
    } catch (error) {
      // The snapshot could not be ended, and nobody else knows of the file.
      await file?.close();
      throw error;
    }
  }

  async #assemble(
    request: PageRequest,
    reader: Reader,
    { total, records }: PageContents,
  ): Promise<Buffer | SpoolFile> {
    const { merchantId } = request.listing;
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    const steps = readRecords(reader, this.#database.dialect, merchantId, records);
    return await assemble(frame(request, total), bytes, steps, async () => {
      this.#largePages.requireLeft(merchantId);
      return await SpoolFile.create(this.#spoolDirectory, this.#largePages.hold(merchantId));
    });
  }

  /** Undefined where the catalog changed meanwhile and to start again would take too long. */
  async #read(
    listing: Listing,
    planFor: Planner,
    { position, perPage, revision }: { position: number; perPage: number; revision: number },
  ): Promise<PageRead | undefined> {
    const read = (reach: number, place: Place, size = perPage): Promise<PageRead> =>
      this.#readFrom(listing, planFor(reach).plan, place, size);
    if (position === 0) return await read(perPage, FIRST);
    const start = await this.#find(listing, planFor, position, revision);
    if (start === undefined) return undefined;
    const values = startValues(listing, start);
    const page =
      start.key === null ? await read(0, FIRST, 0) : await read(perPage, { begin: 'known', values });
    if (page.row.revision === start.revision) return page;
    if (planFor(position + perPage).cost > MAX_COST_ON_LOOP) return undefined;
    // Where the catalog changed between the two, one statement that counts from the first product is right.
    return await read(position + perPage, { begin: 'counted', values: [perPage, position] });
  }

  /**
   * Where the product at a position is, from the nearest place known; key null if there is none. Undefined as for
   * `#read`.
   */
  async #find(
    listing: Listing,
    planFor: Planner,
    position: number,
    revision: number,
  ): Promise<StartRow | undefined> {
    const listingName = listingKey(listing);
    const near = this.#starts.nearest(listingName, revision, position);
    if (near?.position === position) return near;
    const passedOver = position - (near?.position ?? 0);
    // Far beyond the end, counting would go through all of the listing to find nothing: the counters know.
    // Where they are newer than the revision, the page's own revision will tell.
    if (passedOver > CHECK_TOTAL_ABOVE && position >= (await countProducts(this.#database, listing))) {
      return { revision, key: null, internal_id: null };
    }
    const { plan, cost } = planFor(passedOver);
    if (cost > MAX_COST_ON_LOOP) return undefined;
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
    const parameters = [
      ...countKey(listing),
      listing.merchantId,
      ...filterValues(listing),
      ...values,
      perPage,
    ];
    const read =
      perPage <= MAX_RECORDS_ON_LOOP
        ? await this.#database.firstWithItems(statement, parameters)
        : await this.#offLoop.firstWithItems(listing.merchantId, statement, parameters);
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
