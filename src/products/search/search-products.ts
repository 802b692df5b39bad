import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import type { FramedPage } from '../../sync/framed-page.ts';
import type { ProductPage } from '../list/list-products.ts';
import type { Sort } from '../list/listing.ts';
import type { PageAssembler } from '../list/page-assembler.ts';
import { findSizes } from '../list/queries.ts';
import { etagAt } from '../list/revisions.ts';
import { findMatches, type Search } from './find-matches.ts';
import { sortMatches } from './sort-matches.ts';

/** Newest first by default. */
export interface SearchRequest extends FramedPage {
  search: Search;
  sort?: Sort;
  /** `standard` if undefined. */
  fields?: RecordFields;
}

/** `unreadBytes` counts the unread bytes of each merchant's responses. */
export interface SearchServices {
  offLoop: OffLoopReads;
  assembler: PageAssembler;
  unreadBytes: ConcurrentUse;
}

const sizesById = findSizes('internal_id');
const NEWEST_FIRST: Sort = { field: 'created_at', direction: 'DESC' };

/**
 * Returns a page of a search, in order, from one consistent state and off the event loop (contract for
 * writing, “Products and variations”).
 * @throws {BudgetExceeded} `large_pages`, `unread_bytes`
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function searchProducts(
  { offLoop, assembler, unreadBytes }: SearchServices,
  request: SearchRequest,
): Promise<Omit<ProductPage, 'continueAfter'>> {
  const { search, page, perPage, summary, sort = NEWEST_FIRST, fields = 'standard' } = request;
  const { merchantId, words, status, filters, failingImages = false } = search;
  unreadBytes.requireRemaining(merchantId);
  let file: SpoolFile | undefined;
  const work = async (reader: Reader) => {
    // Other pages of this merchant may have been sent while this one waited.
    unreadBytes.requireRemaining(merchantId);
    const [state, products] = await Promise.all([
      reader.first(findCatalogState, { merchantId }),
      findMatches(reader, search),
    ]);
    if (state === undefined) throw missingMerchant(merchantId);
    const window = { position: (page - 1) * perPage, perPage };
    const { total, ids } = await sortMatches(reader, { merchantId, products, sort }, window);
    const sizes = new Map(
      (await lookUp(reader, sizesById, merchantId, ids)).map((row) => [row.internal_id, row.bytes]),
    );
    // While a test side is emptied, its index may still contain a deleted product.
    const records = ids.flatMap((internalId) => {
      const bytes = sizes.get(internalId);
      return bytes === undefined ? [] : [{ internalId, bytes }];
    });
    const content = await assembler.assemble(reader, request, { merchantId, total, records, fields });
    if (content instanceof SpoolFile) file = content;
    // Checks of images change a list without a new revision.
    return { revision: state.revision, total, ids: failingImages ? ids : [], content };
  };
  try {
    const { revision, total, ids, content } = await offLoop.snapshot(merchantId, work);
    const list = [merchantId, words, status, filters, sort, page, perPage, summary, fields];
    const key = JSON.stringify(failingImages ? [...list, total, ids] : list);
    const etag = etagAt(revision, key);
    const body = content instanceof SpoolFile ? content : new RenderedJson(content, etag);
    return { revision, total, etag, body };
  } catch (error) {
    // A file means that the snapshot failed after the page was assembled, and the caller never gets the file.
    await file?.close();
    throw error;
  }
}
