import type { Actor } from '../../database/actor.ts';
import { lookUp } from '../../database/look-up.ts';
import { modeOf } from '../../database/sides.ts';
import type { WriteContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { CategorySettings } from './category-rules.ts';
import { changedFields, isSameProduct } from './changed-fields.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { checkRecord } from './check-record.ts';
import { limitMerchantDraft } from './limit-merchant-draft.ts';
import { MerchantLimits } from './merchant-limits.ts';
import { type CatalogEntry, mergeProduct } from './merge-product.ts';
import { originalProblems } from './original-fields.ts';
import { type Product, parseProduct, renderProduct } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { ProductHistory } from './product-history.ts';
import { isSameBasis, isSameModeration } from './product-status.ts';
import { findProductsByIdentifiers, findVariationOwners, type StoredProduct } from './queries.ts';
import { checkRecordSize } from './record-size.ts';
import { changeBits, NEW_PRODUCT, reviewed } from './review-state.ts';
import { currentRevision } from './revision.ts';
import { type ProductInBatch, writeChangedProducts } from './write-changed-products.ts';

export interface MerchantSettings extends CategorySettings {
  /** Whether products wait for a review of the operator once the merchant creates or changes them. */
  moderationQueue: boolean;
}

/**
 * The author of the drafts. The operator may set every field. A merchant may set what `limitMerchantDraft`
 * allows, and categories within `CategorySettings`.
 */
export type Writer = { authority: 'operator' } | ({ authority: 'merchant' } & MerchantSettings);

export type CatalogSettings = Writer & { lowInventory: number };

/** `changed` names the fields that an update changed. */
export type Outcome =
  | { kind: 'created' | 'unchanged' }
  | { kind: 'updated'; changed: string[] }
  | { kind: 'rejected'; problems: Problem[] };

/** What a transaction has read since it locked the merchant. */
export interface CatalogRead {
  revision: number;
  /** By identifier. Undefined if the catalog has no such product. */
  products: ReadonlyMap<string, StoredProduct | undefined>;
}

const NEW_ROW: ProductInBatch['figures'] = {
  schedule_count: 0,
  rated_count: 0,
  rating_sum: 0,
  revision: 0,
  history_revision: 0,
  ...reviewed,
};

/**
 * Writes drafts to one merchant's catalog in a transaction: `open` reads the stored products, `apply` merges
 * drafts one by one in memory, and `write` writes the products, the counters and the revision.
 */
export class CatalogBatch {
  readonly #context: WriteContext;
  readonly #settings: CatalogSettings;
  readonly #nowText: string;
  /** The catalog's revision before this batch. */
  readonly #revision: number;
  readonly #states = new Map<string, ProductInBatch>();
  /** Each variation's product: its internal id, or its identifier if it is new. */
  readonly #owners = new Map<string, number | string>();
  readonly #history: ProductHistory;
  #limits: MerchantLimits | undefined;

  private constructor(context: WriteContext, settings: CatalogSettings, revision: number) {
    this.#context = context;
    this.#settings = settings;
    this.#revision = revision;
    this.#nowText = formatTime(context.now);
    this.#history = new ProductHistory(this.#nowText);
  }

  /** Reads what is not in `read`. The transaction must have locked the merchant. */
  static async open(
    context: WriteContext,
    drafts: readonly ProductDraft[],
    settings: CatalogSettings,
    read?: CatalogRead,
  ): Promise<CatalogBatch> {
    const { connection, merchantId } = context;
    const identifiers = [...new Set(drafts.map(({ identifier }) => identifier))];
    const variations = drafts.flatMap((draft) => draft.variations?.map(({ identifier }) => identifier) ?? []);
    // Not awaited one by one, so that a database server gets them in one round trip.
    const unread = identifiers.filter((identifier) => read?.products.has(identifier) !== true);
    const [revision, found, owners] = await Promise.all([
      read?.revision ?? currentRevision(context),
      lookUp(connection, findProductsByIdentifiers, merchantId, unread),
      lookUp(connection, findVariationOwners, merchantId, variations),
    ]);
    const batch = new CatalogBatch(context, settings, revision);
    const rows = new Map(found.map((row) => [row.identifier, row]));
    const slices = new TimeSlices();
    // In the order of the file, because variations get their ids in this order.
    for (const identifier of identifiers) {
      if (slices.isOver) await slices.pause();
      const row = rows.get(identifier) ?? read?.products.get(identifier);
      if (row === undefined) continue;
      const stored = { product: parseProduct(row.record), basis: row };
      batch.#states.set(identifier, {
        stored,
        current: stored,
        record: row.record,
        figures: row,
        changeBits: 0,
        isChanged: false,
      });
    }
    for (const row of owners) batch.#owners.set(row.identifier, row.product_id);
    if (settings.authority === 'merchant') {
      const storedOf = (identifier: string) => batch.#states.get(identifier)?.stored?.product;
      batch.#limits = await MerchantLimits.open(context, drafts, storedOf, settings);
    }
    return batch;
  }

  /**
   * Merges one draft into its product. A draft with a problem, also of its reader, changes nothing. The
   * history records `who`.
   */
  apply(draft: ProductDraft, readProblems: readonly Problem[] = [], who: Actor = this.#context.who): Outcome {
    const state = this.#states.get(draft.identifier) ?? {
      stored: undefined,
      current: undefined,
      record: undefined,
      figures: NEW_ROW,
      changeBits: 0,
      isChanged: false,
    };
    const before = state.current;
    const owner = state.stored?.product.internal_id ?? draft.identifier;
    const { draft: allowed, problems } = this.#limitDraft(before, draft);
    problems.unshift(...readProblems, ...changedMeanwhile(before?.product, draft));
    problems.push(...this.#ownershipProblems(owner, draft));
    if (problems.length > 0) return { kind: 'rejected', problems };

    const hasSchedules = state.figures.schedule_count > 0;
    const { lowInventory } = this.#settings;
    const entry = mergeProduct(before, allowed, { now: this.#nowText, lowInventory, hasSchedules });
    const { product } = entry;
    if (draft.original !== undefined) {
      problems.push(...originalProblems(draft.original, before, entry));
      if (problems.length > 0) return { kind: 'rejected', problems };
    }
    if (before !== undefined) {
      if (isUnchanged(state, before.product, product)) {
        // Clients see no change, but a later draft may depend on the basis.
        if (!isSameBasis(before.basis, entry.basis)) {
          state.current = entry;
          this.#history.add(who, draft.identifier, before, entry);
        }
        // Some see the moderation, which the stored record does not show.
        if (!isSameModeration(before.basis, entry.basis)) state.isChanged = true;
        return { kind: 'unchanged' };
      }
    }
    problems.push(...this.#limitProblems(before?.product, product));
    if (problems.length > 0) return { kind: 'rejected', problems };

    this.#limits?.move(before?.product, product);
    for (const { identifier } of draft.variations ?? []) this.#owners.set(identifier, owner);
    this.#states.set(draft.identifier, state);
    state.current = entry;
    state.record = undefined;
    state.isChanged = true;
    this.#history.add(who, draft.identifier, before, entry);
    if (before === undefined) {
      state.changeBits |= NEW_PRODUCT;
      return { kind: 'created' };
    }
    const changed = changedFields(before.product, product);
    state.changeBits |= changeBits(changed);
    if ((allowed.fields.updated_at ?? null) === null) product.updated_at = this.#nowText;
    return { kind: 'updated', changed };
  }

  /**
   * Returns the draft with only the fields that its author may set, and a problem for each other field whose
   * value is neither null nor the current one.
   */
  #limitDraft(
    before: CatalogEntry | undefined,
    draft: ProductDraft,
  ): { draft: ProductDraft; problems: Problem[] } {
    if (this.#settings.authority === 'operator') return { draft, problems: [] };
    return limitMerchantDraft(before, draft, this.#nowText);
  }

  #ownershipProblems(owner: number | string, { variations = [] }: ProductDraft): Problem[] {
    const foreign = variations.find(({ identifier }) => (this.#owners.get(identifier) ?? owner) !== owner);
    if (foreign === undefined) return [];
    const { identifier: value } = foreign;
    const reason = 'this variation belongs to another product';
    return [{ field: 'variations', value, reason, entry: value }];
  }

  #limitProblems(before: Product | undefined, product: Product): Problem[] {
    const tooLarge = checkRecordSize(before, product);
    const limited = this.#limits?.check(before, product) ?? [];
    return [...checkRecord(before, product), ...(tooLarge === undefined ? [] : [tooLarge]), ...limited];
  }

  /** Returns a product in its current state, if there is one. `write` gives new products their ids. */
  entry(identifier: string): CatalogEntry | undefined {
    return this.#states.get(identifier)?.current;
  }

  /** Whether a product had changes, before this batch, that the operator has not reviewed. */
  waitedForReview(identifier: string): boolean {
    return (this.#states.get(identifier)?.figures.review_changes ?? 0) !== 0;
  }

  /** Returns the internal id that a product had before this batch. */
  storedId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.stored?.product.internal_id;
  }

  /** Returns the internal id of a product that is in the catalog after `write`. */
  currentId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.current?.product.internal_id;
  }

  /** Writes every product that `apply` changed. New products and variations get ids. */
  async write(): Promise<void> {
    const changed = [...this.#states.values()].filter(({ stored, current }) => stored !== current);
    if (changed.length === 0) return;
    const settings = this.#settings;
    const { merchantId } = this.#context;
    await writeChangedProducts(this.#context, changed, {
      revision: this.#revision,
      history: this.#history,
      idOf: (identifier) => this.currentId(identifier),
      lowInventory: settings.lowInventory,
      // Test data is not reviewed.
      isReviewed:
        settings.authority === 'merchant' && settings.moderationQueue && modeOf(merchantId) === 'live',
    });
  }
}

/** Renders a product at most once, because that takes milliseconds for a large one. */
function isUnchanged(state: ProductInBatch, before: Product, product: Product): boolean {
  if (!isSameProduct(before, product)) return false;
  if (state.record !== undefined && renderProduct(product) !== state.record) return false;
  state.record = undefined;
  return true;
}
