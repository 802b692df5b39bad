import { hash } from 'node:crypto';
import { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Database, Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { Cache } from '../../shared/cache.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { findRevision } from '../record/queries.ts';
import { assemble, type FramedPage, frame } from './assemble-page.ts';
import { type Listing, listingKey } from './listing.ts';
import { MAX_COST_ON_LOOP, PageReader } from './page-reader.ts';
import { PageStarts } from './page-starts.ts';
import { countProducts, type Planner, planListing } from './plan-listing.ts';
import { findPageContents, type PageContents, readRecords } from './read-in-steps.ts';

/** A page of a listing. */
export interface PageRequest extends FramedPage {
  listing: Listing;
}

/** A page at one revision of the catalog. */
export interface ProductPage {
  revision: number;
  /** The number of products that the filter matches. */
  total: number;
  etag: string;
  /**
   * A JSON array of product records, or the pagination summary with them. A page that is too large for memory is in a
   * file, which the caller has to close.
   */
  body: RenderedJson | SpoolFile;
}

/** The options of a `ProductLister`. */
export interface ListerOptions {
  offLoop: OffLoopReads;
  /** The directory for pages that are too large for memory, while they are sent. */
  spoolDirectory: string;
  /** The number of such pages that one merchant may have simultaneously; null for no limit. */
  largePages: number | null;
  /** Counts the bytes of responses that each merchant has not read yet. */
  unreadBytes: ConcurrentUse;
  /** Called for each page. `isCached` is whether it came from the cache. */
  onPage?: (isCached: boolean) => void;
}

const CACHE_BYTES = 32 * 1024 * 1024;
/** A cached page also keeps its compressed forms, each about a tenth of its size. */
const COMPRESSED_FORMS_FACTOR = 1.25;

/** Reads pages of products, and caches them until the catalog's revision changes. */
export class ProductLister {
  readonly #database: Database;
  readonly #spoolDirectory: string;
  readonly #onPage: (isCached: boolean) => void;
  readonly #largePages: ConcurrentUse;
  readonly #unreadBytes: ConcurrentUse;
  readonly #offLoop: OffLoopReads;
  readonly #starts = new PageStarts();
  readonly #pages = new Cache<ProductPage>(CACHE_BYTES);
  readonly #reader: PageReader;

  constructor(
    database: Database,
    { offLoop, spoolDirectory, largePages, unreadBytes, onPage = () => {} }: ListerOptions,
  ) {
    this.#database = database;
    this.#offLoop = offLoop;
    this.#spoolDirectory = spoolDirectory;
    this.#largePages = new ConcurrentUse('large_pages', largePages);
    this.#unreadBytes = unreadBytes;
    this.#reader = new PageReader(database, offLoop, this.#starts);
    this.#onPage = onPage;
  }

  /**
   * Returns a page. `revision` is the catalog's revision that this request has read: a cached page is returned only if
   * it has the same revision. A page is read from one consistent state of the catalog, and pages of one revision never
   * overlap or skip products (specification, 4.1; contract, “List products”). No page blocks the event loop for long, whatever its size and position.
   * @throws {BudgetExceeded} `large_pages`, `unread_bytes`
   * @throws {QueueFull} if too many of this merchant's expensive pages are waiting
   */
  async list(request: PageRequest, revision: number): Promise<ProductPage> {
    const { listing, page, perPage, summary } = request;
    const key = `${listingKey(listing)} ${page} ${perPage} ${summary}`;
    const cached = this.#pages.get(key);
    const isCached = cached !== undefined && cached.revision === revision;
    this.#onPage(isCached);
    if (isCached) return cached;
    const planFor = await planListing(this.#database, listing);
    this.#unreadBytes.requireRemaining(listing.merchantId);
    const read =
      (await this.#readDirectly(request, planFor, revision)) ?? (await this.#readOffLoop(request, planFor));
    const etag = `W/"${read.revision.toString(36)}-${hash('sha1', key, 'base64url')}"`;
    if (read.content instanceof SpoolFile) return { ...read, etag, body: read.content };
    const created = { ...read, etag, body: new RenderedJson(read.content, etag) };
    this.#pages.offer(key, created, read.content.length * COMPRESSED_FORMS_FACTOR);
    return created;
  }

  /** Returns undefined if reading would take too long: for a page far from any known start, or one of large records. */
  async #readDirectly(
    request: PageRequest,
    planFor: Planner,
    revision: number,
  ): Promise<{ revision: number; total: number; content: Buffer } | undefined> {
    const { listing, page, perPage } = request;
    const position = (page - 1) * perPage;
    const near = this.#starts.nearest(listingKey(listing), revision, position);
    const { cost } = planFor(position - (near?.position ?? 0) + perPage);
    // A page past the end is empty, so it is never expensive.
    if (cost > MAX_COST_ON_LOOP && position < (await countProducts(this.#database, listing)))
      return undefined;
    const read = await this.#reader.read(listing, planFor, { position, perPage, revision });
    if (read === undefined || read.leftOut > 0) return undefined;
    const { row, items } = read;
    const [start, end] = frame(request, row.total);
    const array = Buffer.from(items.buffer, items.byteOffset, items.length);
    // Both the array and the summary have brackets, so the array's are removed for the summary.
    const content = request.summary ? Buffer.concat([start, array.subarray(1, -1), end]) : array;
    return { ...row, content };
  }

  /** Reads a page of any size and position, when the merchant's turn comes. */
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
      // Other pages of this merchant may have been sent while this one waited.
      this.#unreadBytes.requireRemaining(listing.merchantId);
      const head = await reader.first(findRevision, { merchantId: listing.merchantId });
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
      // If there is a file, the snapshot failed after the page was assembled, and the caller never gets the file.
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
      this.#largePages.requireRemaining(merchantId);
      return await SpoolFile.create(this.#spoolDirectory, this.#largePages.hold(merchantId));
    });
  }
}
