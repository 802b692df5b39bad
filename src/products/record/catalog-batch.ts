import { lookUp } from '../../database/look-up.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import { runInSteps } from '../../database/run-in-steps.ts';
import { modeOf } from '../../database/sides.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { recordEvents } from '../../events/record-event.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { indexProducts } from '../search-index/index-products.ts';
import { type EntryChange, lowStockEvent, moderationEvents } from './catalog-events.ts';
import type { CategorySettings } from './category-rules.ts';
import { changedFields, isSameProduct } from './changed-fields.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { checkRecord } from './check-record.ts';
import { CountChanges } from './count-changes.ts';
import { limitMerchantDraft } from './limit-merchant-draft.ts';
import { MerchantLimits } from './merchant-limits.ts';
import { type CatalogEntry, mergeProduct } from './merge-product.ts';
import { originalProblems } from './original-fields.ts';
import { type Product, parseProduct, renderProduct, type Variation } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { productRow, type ScheduleFigures } from './product-row.ts';
import { isSameBasis, isSameModeration } from './product-status.ts';
import {
  findProductsByIdentifiers,
  findVariationOwners,
  insertProduct,
  insertVariation,
  type ProductRow,
  type StoredProduct,
  takeIds,
  updateProduct,
  type VariationRow,
} from './queries.ts';
import { checkRecordSize } from './record-size.ts';
import { addChanges, changeBits, NEW_PRODUCT, type ReviewState, reviewed } from './review-state.ts';
import { ChangeEffects, currentRevision, raiseRevision } from './revision.ts';

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

interface State {
  /** Undefined for a new product. */
  stored: CatalogEntry | undefined;
  current: CatalogEntry | undefined;
  /**
   * The stored wire form of `current`, perhaps from an earlier version; undefined once it is known to be what
   * `renderProduct` returns.
   */
  record: string | undefined;
  figures: ScheduleFigures & ReviewState & Pick<ProductRow, 'revision'>;
  /** What the drafts changed: see `ReviewState`. */
  changeBits: number;
  /** Whether clients see a change: of the record or its moderation, and not only the basis of its status. */
  isChanged: boolean;
}

/** What a transaction has read since it locked the merchant. */
export interface KnownCatalog {
  revision: number;
  /** By identifier. Undefined if the catalog has no such product. */
  products: ReadonlyMap<string, StoredProduct | undefined>;
}

const NEW_ROW: State['figures'] = {
  schedule_count: 0,
  rated_count: 0,
  rating_sum: 0,
  revision: 0,
  ...reviewed,
};

/**
 * Writes drafts to one merchant's catalog in a transaction: `open` reads the stored products, `apply` merges
 * drafts one by one in memory, and `write` writes the products, the counters and the revision.
 */
export class CatalogBatch {
  readonly #context: TransactionContext;
  readonly #settings: CatalogSettings;
  readonly #nowText: string;
  /** The catalog's revision before this batch. */
  readonly #revision: number;
  readonly #states = new Map<string, State>();
  /** Each variation's product: its internal id, or its identifier if it is new. */
  readonly #owners = new Map<string, number | string>();
  #limits: MerchantLimits | undefined;

  private constructor(context: TransactionContext, settings: CatalogSettings, revision: number) {
    this.#context = context;
    this.#settings = settings;
    this.#revision = revision;
    this.#nowText = formatTime(context.now);
  }

  /** Reads what is not `known`. The transaction must have locked the merchant. */
  static async open(
    context: TransactionContext,
    drafts: readonly ProductDraft[],
    settings: CatalogSettings,
    known?: KnownCatalog,
  ): Promise<CatalogBatch> {
    const { connection, merchantId } = context;
    const identifiers = [...new Set(drafts.map(({ identifier }) => identifier))];
    const variations = drafts.flatMap((draft) => draft.variations?.map(({ identifier }) => identifier) ?? []);
    // Not awaited one by one, so that a database server gets them in one round trip.
    const unknown = identifiers.filter((identifier) => known?.products.has(identifier) !== true);
    const [revision, found, owners] = await Promise.all([
      known?.revision ?? currentRevision(context),
      lookUp(connection, findProductsByIdentifiers, merchantId, unknown),
      lookUp(connection, findVariationOwners, merchantId, variations),
    ]);
    const batch = new CatalogBatch(context, settings, revision);
    const rows = new Map(found.map((row) => [row.identifier, row]));
    const slices = new TimeSlices();
    // In the order of the file, because variations get their ids in this order.
    for (const identifier of identifiers) {
      if (slices.isOver) await slices.pause();
      const row = rows.get(identifier) ?? known?.products.get(identifier);
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

  /** Merges one draft into its product. A draft with a problem, or with `known` ones, changes nothing. */
  apply(draft: ProductDraft, known: readonly Problem[] = []): Outcome {
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
    problems.unshift(...known, ...changedMeanwhile(before?.product, draft));
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
        if (!isSameBasis(before.basis, entry.basis)) state.current = entry;
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
    const { connection, merchantId } = this.#context;
    const inserts: ProductRow[] = [];
    const updates: ProductRow[] = [];
    const variations: VariationRow[] = [];
    const counts = new CountChanges();
    const raised = this.#raiseRevision(changed);
    await this.#assignIds(changed);
    const slices = new TimeSlices();
    for (const state of changed) {
      await slices.pause();
      const { stored, current, figures, isChanged } = state;
      if (current === undefined) continue;
      const { product, basis } = current;
      // Clients see no change if the record is the same.
      const revision = isChanged ? raised : figures.revision;
      const review = this.#reviewOf(state, current);
      const row = productRow(merchantId, product, { ...figures, ...basis, ...review, revision });
      if (stored === undefined) inserts.push(row);
      else updates.push(row);
      const known = new Set(stored?.product.variations.map(({ identifier }) => identifier));
      for (const { identifier } of product.variations) {
        if (known.has(identifier)) continue;
        variations.push({ merchant_id: merchantId, identifier, product_id: product.internal_id });
      }
      if (stored !== undefined) counts.add(stored.product, -1);
      counts.add(product, 1);
    }
    await connection.runEach(insertProduct, inserts);
    await runInSteps(connection, insertVariation, variations);
    connection.send(updateProduct, updates);
    counts.write(this.#context);
    const lowStock = lowStockEvent(raised, entryChanges(changed), this.#settings.lowInventory);
    const events = [...moderationEvents(raised, entryChanges(changed))];
    if (lowStock !== undefined) events.push(lowStock);
    recordEvents(this.#context, events);
    const changes = changed.flatMap(({ stored, current }) =>
      current === undefined ? [] : [{ before: stored?.product, after: current.product }],
    );
    await indexProducts(connection, merchantId, changes);
  }

  /** A moderation is a review. Test data is not reviewed. */
  #reviewOf({ stored, figures, changeBits }: State, { product, basis }: CatalogEntry): ReviewState {
    if (stored !== undefined && stored.basis.moderation !== basis.moderation) return reviewed;
    const { now, merchantId } = this.#context;
    const settings = this.#settings;
    const isQueued =
      settings.authority === 'merchant' && settings.moderationQueue && modeOf(merchantId) === 'live';
    const isDeleted = product.deleted_at !== null;
    return addChanges(figures, isQueued ? changeBits : 0, { now, isDeleted });
  }

  /** Returns the catalog's revision after this batch: the same if no record changed, as clients see it. */
  #raiseRevision(changed: readonly State[]): number {
    if (!changed.some(({ isChanged }) => isChanged)) return this.#revision;
    const effects = new ChangeEffects();
    for (const { stored, current } of changed) {
      if (current !== undefined) effects.add(stored?.product, current.product);
    }
    return raiseRevision(this.#context, this.#revision, effects);
  }

  async #assignIds(changed: readonly State[]): Promise<void> {
    const products: Product[] = [];
    const variations: Variation[] = [];
    for (const { current } of changed) {
      if (current === undefined) continue;
      const { product } = current;
      if (product.internal_id === 0) products.push(product);
      variations.push(...product.variations.filter(({ internal_id }) => internal_id === 0));
    }
    if (products.length === 0 && variations.length === 0) return;
    const { connection, merchantId } = this.#context;
    const last = await connection.first(takeIds, {
      merchantId,
      products: products.length,
      variations: variations.length,
    });
    if (last === undefined) throw missingMerchant(merchantId);
    let productId = last.last_product_id - products.length;
    for (const product of products) product.internal_id = ++productId;
    let variationId = last.last_variation_id - variations.length;
    for (const variation of variations) variation.internal_id = ++variationId;
  }
}

/** Renders a product at most once, because that takes milliseconds for a large one. */
function isUnchanged(state: State, before: Product, product: Product): boolean {
  if (!isSameProduct(before, product)) return false;
  if (state.record !== undefined && renderProduct(product) !== state.record) return false;
  state.record = undefined;
  return true;
}

function* entryChanges(states: Iterable<State>): Generator<EntryChange> {
  for (const { stored, current } of states) {
    if (current !== undefined) yield { before: stored, after: current };
  }
}
