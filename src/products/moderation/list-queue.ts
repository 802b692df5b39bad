import type { Database } from '../../database/database.ts';
import { readLarge } from '../../database/lists-of-all.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { cutPage } from '../../sync/cut-page.ts';
import { readReasons } from '../record/catalog-events.ts';
import { type Product, parseProduct } from '../record/product.ts';
import type { Moderation } from '../record/product-status.ts';
import {
  changedReviewedFields,
  NEW_PRODUCT,
  type ReviewedField,
  type ReviewedValues,
} from '../record/review-state.ts';
import {
  type DecisionRow,
  type EarlierDecision,
  findLargeRecord,
  findQueuedMerchant,
  listDecisionsAbout,
  listDecisionsInCategory,
  listDecisionsOfMerchant,
  listQueue,
  listQueueOfMerchant,
  type QueuedMerchant,
  type QueuedProduct,
  type QueuePosition,
} from './queries.ts';
import { reviewedValues, reviewedVersion } from './reviewed-values.ts';

/** A decision about this product or another one. */
export interface PastDecision {
  merchant: QueuedMerchant;
  identifier: string;
  title: string;
  category: string;
  state: Moderation;
  reasons: ModerationReason[];
  /** RFC 3339. */
  at: string;
  who: string;
}

export interface QueueEntry {
  merchant: QueuedMerchant;
  identifier: string;
  internal_id: number;
  state: Moderation;
  reasons: ModerationReason[];
  /** Since when the product waits. RFC 3339. */
  since: string;
  version: string;
  /** Whether no decision was made about the product since it was created. */
  is_new: boolean;
  /** The fields that changed since the last review, even if back to their value. Empty if `is_new`. */
  changed: ReviewedField[];
  /** The values of the `changed` fields at the last decision; empty if there was none. */
  before: Partial<ReviewedValues>;
  product: ReviewedValues & Pick<Product, 'status' | 'created_at' | 'updated_at'>;
  /** The last decisions about this product, newest first. */
  history: PastDecision[];
  /** The last decisions about other products of the merchant or in the category, newest first. */
  similar: PastDecision[];
}

export interface QueuePage {
  entries: QueueEntry[];
  /** Undefined on the last page. */
  next: QueuePosition | undefined;
}

const START_OF_QUEUE: QueuePosition = { since: 0, merchantId: 0, productId: 0 };

const AT_ONCE = 20;
/** A page ends when the products that were read for it have more. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Of decisions about one product, of one merchant or in one category. */
const DECISIONS = 5;

/**
 * Reads a page of the products that wait for a review, oldest first: of one merchant, or of all. If they are
 * large, the page has fewer than `limit`.
 */
export async function readQueue(
  database: Pick<Database, 'all' | 'first'>,
  {
    merchantId,
    after = START_OF_QUEUE,
    limit,
  }: { merchantId: number | undefined; after: QueuePosition | undefined; limit: number },
): Promise<QueuePage> {
  const range = { ...after, limit: limit + 1 };
  const rows =
    merchantId === undefined
      ? await database.all(listQueue, range)
      : await database.all(listQueueOfMerchant, { ...range, merchantId });
  const decisions = new DecisionReader(database);
  const slices = new TimeSlices();
  const entries: QueueEntry[] = [];
  let read = 0;
  let bytes = 0;
  for (const part of partsOf(rows.slice(0, limit), AT_ONCE)) {
    const waiting = [];
    for (const row of part) {
      const record = row.record ?? (await readLarge(database, findLargeRecord, row));
      // A product that is gone does not wait.
      if (record === undefined) continue;
      const { variations: _, ...product } = parseProduct(record);
      waiting.push({ row, product });
      bytes += record.length;
      await slices.pause();
    }
    // Started together, so that a database server gets them in one round trip.
    const completed = waiting.map(({ row, product }) => decisions.complete(row, product));
    for (const entry of await Promise.all(completed)) {
      entries.push(entry);
      bytes += JSON.stringify(entry.before).length;
    }
    read += part.length;
    if (bytes > MAX_BYTES) break;
  }
  const { next } = cutPage(rows, read, (last) => ({
    since: last.review_since,
    merchantId: last.merchant_id,
    productId: last.id,
  }));
  return { entries, next };
}

type ListedProduct = Omit<Product, 'variations'>;

/** Reads the decisions for the entries of a page, and each merchant or category only once. */
class DecisionReader {
  readonly #database: Pick<Database, 'all' | 'first'>;
  readonly #merchants = new Map<number, Promise<QueuedMerchant | undefined>>();
  readonly #ofMerchants = new Map<number, Promise<EarlierDecision[]>>();
  readonly #inCategories = new Map<string, Promise<EarlierDecision[]>>();

  constructor(database: Pick<Database, 'all' | 'first'>) {
    this.#database = database;
  }

  async complete(row: QueuedProduct, product: ListedProduct): Promise<QueueEntry> {
    const isNew = (row.review_changes & NEW_PRODUCT) !== 0;
    const values = reviewedValues(product);
    const [merchant, history, similar] = await Promise.all([
      this.#merchant(row.merchant_id),
      isNew ? [] : this.#about(row),
      this.#similar(row, product),
    ]);
    const changed = isNew ? [] : changedReviewedFields(row.review_changes);
    const { status, created_at, updated_at } = product;
    return {
      merchant,
      identifier: row.identifier,
      internal_id: row.id,
      state: row.moderation,
      reasons: readReasons(row.moderation_reasons),
      since: formatTime(row.review_since),
      version: reviewedVersion(values),
      is_new: isNew,
      changed,
      before: valuesBefore(history, changed),
      product: { status, ...values, created_at, updated_at },
      history: await Promise.all(history.map((each) => this.#describe(each))),
      similar: await Promise.all(similar.map((each) => this.#describe(each))),
    };
  }

  #about({ merchant_id: merchantId, id: productId }: QueuedProduct): Promise<DecisionRow[]> {
    return this.#database.all(listDecisionsAbout, { merchantId, productId, limit: DECISIONS });
  }

  async #similar(row: QueuedProduct, { category }: ListedProduct): Promise<EarlierDecision[]> {
    // One more, because a decision may be about this product.
    const limit = DECISIONS + 1;
    const merchantId = row.merchant_id;
    const ofMerchant = memoized(this.#ofMerchants, merchantId, () =>
      this.#database.all(listDecisionsOfMerchant, { merchantId, limit }),
    );
    const level = category?.split(' | ', 1)[0] ?? '';
    const inCategory = memoized(this.#inCategories, level, () =>
      level === ''
        ? Promise.resolve([])
        : this.#database.all(listDecisionsInCategory, { category: level, limit }),
    );
    const found = new Map([...(await ofMerchant), ...(await inCategory)].map((each) => [each.id, each]));
    return [...found.values()]
      .filter((each) => each.merchant_id !== merchantId || each.product_id !== row.id)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, DECISIONS);
  }

  async #merchant(merchantId: number): Promise<QueuedMerchant> {
    const row = await memoized(this.#merchants, merchantId, () =>
      this.#database.first(findQueuedMerchant, { merchantId }),
    );
    if (row === undefined) throw missingMerchant(merchantId);
    return row;
  }

  async #describe({
    merchant_id,
    identifier,
    title,
    category,
    state,
    reasons,
    at,
    who,
  }: EarlierDecision): Promise<PastDecision> {
    const merchant = await this.#merchant(merchant_id);
    return {
      ...{ merchant, identifier, title, category, state },
      ...{ reasons: readReasons(reasons), at: formatTime(at), who },
    };
  }
}

function valuesBefore(
  [last]: readonly DecisionRow[],
  changed: readonly ReviewedField[],
): Partial<ReviewedValues> {
  if (last === undefined || last.reviewed === '') return {};
  const values = JSON.parse(last.reviewed) as ReviewedValues;
  return Object.fromEntries(changed.map((name) => [name, values[name]]));
}

function memoized<Key, Value>(
  results: Map<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const result = results.get(key) ?? read();
  results.set(key, result);
  return result;
}
