import type { Database } from '../../database/database.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
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

export const START_OF_QUEUE: QueuePosition = {
  since: 0,
  merchantId: 0,
  productId: 0,
};

/** Of decisions about one product, of one merchant or in one category. */
const DECISIONS = 5;

/** Reads a page of the products that wait for a review, oldest first: of one merchant, or of all. */
export async function readQueue(
  database: Pick<Database, 'all' | 'first'>,
  { merchantId, after, limit }: { merchantId: number | undefined; after: QueuePosition; limit: number },
): Promise<QueuePage> {
  const range = { ...after, limit: limit + 1 };
  const rows =
    merchantId === undefined
      ? await database.all(listQueue, range)
      : await database.all(listQueueOfMerchant, { ...range, merchantId });
  const listed = rows.slice(0, limit);
  const last = rows.length > limit ? listed.at(-1) : undefined;
  const decisions = new DecisionReader(database);
  const slices = new TimeSlices();
  const waiting = [];
  for (const row of listed) {
    waiting.push({ row, product: parseProduct(row.record ?? (await readLarge(database, row))) });
    await slices.pause();
  }
  // Started together, so that a database server gets them in one round trip.
  const entries = await Promise.all(waiting.map(({ row, product }) => decisions.complete(row, product)));
  const next = last && {
    since: last.review_since,
    merchantId: last.merchant_id,
    productId: last.internal_id,
  };
  return { entries, next };
}

async function readLarge(
  database: Pick<Database, 'first'>,
  { merchant_id: merchantId, internal_id: productId }: QueuedProduct,
): Promise<string> {
  const row = await database.first(findLargeRecord, { merchantId, productId });
  if (row === undefined) throw new Error(`the product ${productId} of merchant ${merchantId} is gone`);
  return row.record;
}

/** Reads the decisions for the entries of a page, and each merchant or category only once. */
class DecisionReader {
  readonly #database: Pick<Database, 'all' | 'first'>;
  readonly #merchants = new Map<number, Promise<QueuedMerchant | undefined>>();
  readonly #ofMerchants = new Map<number, Promise<EarlierDecision[]>>();
  readonly #inCategories = new Map<string, Promise<EarlierDecision[]>>();

  constructor(database: Pick<Database, 'all' | 'first'>) {
    this.#database = database;
  }

  async complete(row: QueuedProduct, product: Product): Promise<QueueEntry> {
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
      internal_id: row.internal_id,
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

  #about({ merchant_id: merchantId, internal_id: productId }: QueuedProduct): Promise<DecisionRow[]> {
    return this.#database.all(listDecisionsAbout, { merchantId, productId, limit: DECISIONS });
  }

  async #similar(row: QueuedProduct, { category }: Product): Promise<EarlierDecision[]> {
    // One more, because a decision may be about this product.
    const limit = DECISIONS + 1;
    const merchantId = row.merchant_id;
    const ofMerchant = once(this.#ofMerchants, merchantId, () =>
      this.#database.all(listDecisionsOfMerchant, { merchantId, limit }),
    );
    const level = category?.split(' | ', 1)[0] ?? '';
    const inCategory = once(this.#inCategories, level, () =>
      level === ''
        ? Promise.resolve([])
        : this.#database.all(listDecisionsInCategory, { category: level, limit }),
    );
    const found = new Map([...(await ofMerchant), ...(await inCategory)].map((each) => [each.id, each]));
    return [...found.values()]
      .filter((each) => each.merchant_id !== merchantId || each.product_id !== row.internal_id)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, DECISIONS);
  }

  async #merchant(merchantId: number): Promise<QueuedMerchant> {
    const row = await once(this.#merchants, merchantId, () =>
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

function once<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
