import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Database, Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { Cache } from '../../shared/cache.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { type FramedPage, frame } from '../../sync/framed-page.ts';
import { spliceRecords } from '../record/original-fields.ts';
import { parseProduct } from '../record/product.ts';
import { sortColumns } from '../record/product-row.ts';
import { MAX_BYTES_IN_MEMORY } from './assemble-page.ts';
import { type Listing, listingKey, type SortField } from './listing.ts';
import type { PageAssembler } from './page-assembler.ts';
import { MAX_COST_ON_LOOP, PageReader } from './page-reader.ts';
import { PageStarts } from './page-starts.ts';
import { countProducts, type Planner, planListing } from './plan-listing.ts';
import type { SortKeyRow } from './queries.ts';
import { findPageContents } from './read-in-steps.ts';
import { etagAt } from './revisions.ts';

// JSON escapes quotes inside strings, so these bytes occur only as members. Only products have a status.
const STATUS = Buffer.from(',"status":"');
const RECORD_START = Buffer.from('{"identifier":"');

/** A page of a listing. With `after`, it has the products after that one, and `page` is only reported. */
export interface PageRequest extends FramedPage {
  listing: Listing;
  after: SortKeyRow | undefined;
  /** `standard` if undefined. */
  fields?: RecordFields;
}

export interface ProductPage {
  revision: number;
  total: number;
  etag: string;
  /** The last product, if more follow. */
  continueAfter: SortKeyRow | undefined;
  /** A JSON array of product records, or the pagination summary with them. The caller has to close a file. */
  body: RenderedJson | SpoolFile;
}

interface ListerOptions {
  offLoop: OffLoopReads;
  assembler: PageAssembler;
  /** Counts the unread bytes of each merchant's responses. */
  unreadBytes: ConcurrentUse;
  onPage?: (isCached: boolean) => void;
}

interface PageContent<Content> extends Omit<ProductPage, 'etag' | 'body'> {
  content: Content;
}

const CACHE_BYTES = 32 * 1024 * 1024;
/** A cached page also keeps its compressed forms, each about a tenth of its size. */
const COMPRESSED_FORMS_FACTOR = 1.25;

/** Reads pages of products, and caches them until the catalog's revision changes. */
export class ProductLister {
  readonly #database: Database;
  readonly #onPage: (isCached: boolean) => void;
  readonly #assembler: PageAssembler;
  readonly #unreadBytes: ConcurrentUse;
  readonly #offLoop: OffLoopReads;
  readonly #starts = new PageStarts();
  readonly #pages = new Cache<ProductPage>(CACHE_BYTES);
  readonly #reader: PageReader;

  constructor(database: Database, { offLoop, assembler, unreadBytes, onPage = () => {} }: ListerOptions) {
    this.#database = database;
    this.#offLoop = offLoop;
    this.#assembler = assembler;
    this.#unreadBytes = unreadBytes;
    this.#reader = new PageReader(database, offLoop, this.#starts);
    this.#onPage = onPage;
  }

  /**
   * Returns a page, from the cache if it has the `revision` that this request has read. A page is read from
   * one consistent state, and pages of one revision never overlap or skip products (specification, 4.1;
   * contract, “List products”). No page blocks the event loop for long.
   * @throws {BudgetExceeded} `large_pages`, `unread_bytes`
   * @throws {QueueFull} if too many of this merchant's expensive pages are waiting
   */
  async list(request: PageRequest, revision: number): Promise<ProductPage> {
    const { listing, page, perPage, summary, after, fields = 'standard' } = request;
    const position = `${page} ${perPage} ${summary} ${after?.key} ${after?.internal_id}`;
    const key = `${listingKey(listing)} ${position} ${fields}`;
    const cached = this.#pages.get(key);
    const isCached = cached !== undefined && cached.revision === revision;
    this.#onPage(isCached);
    if (isCached) return cached;
    const planFor = await planListing(this.#database, listing);
    this.#unreadBytes.requireRemaining(listing.merchantId);
    const read = (await this.#readDirectly(request, planFor)) ?? (await this.#readOffLoop(request, planFor));
    const etag = etagAt(read.revision, key);
    if (read.content instanceof SpoolFile) return { ...read, etag, body: read.content };
    const created = { ...read, etag, body: new RenderedJson(read.content, etag) };
    this.#pages.offer(key, created, read.content.length * COMPRESSED_FORMS_FACTOR);
    return created;
  }

  /** Returns undefined if the page is expensive: far from any known start, or with large records. */
  async #readDirectly(request: PageRequest, planFor: Planner): Promise<PageContent<Buffer> | undefined> {
    const { listing, after, perPage, fields = 'standard' } = request;
    const position = positionOf(request);
    const near = this.#starts.nearest(listingKey(listing), position);
    const rows = after === undefined ? position - (near?.position ?? 0) + perPage : perPage;
    const { cost } = planFor(rows);
    // A page past the end is empty, so it is never expensive.
    const isExpensive = cost > MAX_COST_ON_LOOP;
    if (isExpensive && (after !== undefined || position < (await countProducts(this.#database, listing))))
      return undefined;
    const read = await this.#reader.read(listing, planFor, { position, after, perPage, fields });
    if (read === undefined || read.leftOut > 0) return undefined;
    const { row, items, count } = read;
    const [start, end] = frame(request, { total: row.total, count });
    const stored = Buffer.from(items.buffer, items.byteOffset, items.length);
    const array = fields === 'original' ? await spliceRecords(stored, MAX_BYTES_IN_MEMORY) : stored;
    if (array === undefined) return undefined;
    // The summary has brackets of its own.
    const content = request.summary ? Buffer.concat([start, array.subarray(1, -1), end]) : array;
    const mayContinue = after === undefined ? position + perPage < row.total : count === perPage;
    const last = mayContinue ? lastKey(array, listing.sort.field) : undefined;
    const { revision, total } = row;
    return { revision, total, content, continueAfter: await this.#ifContinued(request, planFor, last) };
  }

  async #ifContinued(
    { listing, after }: PageRequest,
    planFor: Planner,
    last: SortKeyRow | undefined,
  ): Promise<SortKeyRow | undefined> {
    if (last === undefined) return undefined;
    // Without `after`, the total has already told.
    return after === undefined || (await this.#reader.hasMore(listing, planFor, last)) ? last : undefined;
  }

  async #readOffLoop(request: PageRequest, planFor: Planner): Promise<PageContent<Buffer | SpoolFile>> {
    const { listing, after, perPage, fields = 'standard' } = request;
    const { dialect } = this.#database;
    const position = positionOf(request);
    let file: SpoolFile | undefined;
    const work = async (reader: Reader): Promise<PageContent<Buffer | SpoolFile>> => {
      // Other pages of this merchant may have been sent while this one waited.
      this.#unreadBytes.requireRemaining(listing.merchantId);
      const window = { position, after, perPage };
      const plan = { listing, planFor, starts: this.#starts, ...window };
      const contents = await findPageContents(reader, dialect, plan);
      const { revision, total, records, last } = contents;
      const { merchantId } = listing;
      const content = await this.#assembler.assemble(reader, request, {
        merchantId,
        total,
        records,
        fields,
      });
      if (content instanceof SpoolFile) file = content;
      const mayContinue = after === undefined ? position + perPage < total : records.length === perPage;
      return { revision, total, content, continueAfter: mayContinue ? last : undefined };
    };
    try {
      const read = await this.#offLoop.snapshot(listing.merchantId, work);
      return { ...read, continueAfter: await this.#ifContinued(request, planFor, read.continueAfter) };
    } catch (error) {
      // A file means that reading failed after the page was assembled, and the caller never gets the file.
      await file?.close();
      throw error;
    }
  }
}

function positionOf({ page, perPage }: PageRequest): number {
  return (page - 1) * perPage;
}

/** Returns the last record's sort key without parsing the others; undefined if the array is empty. */
function lastKey(records: Buffer, field: SortField): SortKeyRow | undefined {
  const status = records.lastIndexOf(STATUS);
  if (status < 0) return undefined;
  const start = records.lastIndexOf(RECORD_START, status);
  const product = parseProduct(records.toString('utf8', start, records.length - 1));
  return { key: sortColumns(product)[field], internal_id: product.internal_id };
}
