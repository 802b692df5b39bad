import type { Connection, Value } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { Problem } from '../../imports/parsed.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { readMerchantDraft } from '../files/read-merchant-draft.ts';
import { CategoryBudget } from './category-budget.ts';
import { changedFields } from './changed-fields.ts';
import { type CatalogEntry, mergeProduct } from './merge-product.ts';
import { type Product, parseProduct, renderProduct, type Variation } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { countersOf, productValues, type ScheduleFigures } from './product-values.ts';
import {
  addToCount,
  deleteEmptyCount,
  findProductsByIdentifiers,
  findVariationOwners,
  insertProduct,
  insertVariation,
  takeIds,
  updateProduct,
} from './queries.ts';
import { checkRecordSize } from './record-size.ts';
import { raiseRevision } from './revision.ts';

/**
 * Whose authority drafts have. The operator may state every field; a merchant may state what it owns and have
 * `maxCategories` categories in use, or any number where that is null.
 */
export type Writer = { authority: 'operator' } | { authority: 'merchant'; maxCategories: number | null };

export type CatalogSettings = Writer & { lowInventory: number };

/** What became of one draft; for an update, the fields that it changed. */
export type Outcome =
  | { kind: 'created' | 'unchanged' }
  | { kind: 'updated'; changed: string[] }
  | { kind: 'rejected'; problems: Problem[] };

/** A product on its way through a batch. */
interface State {
  /** As it is in the database; undefined for a new one. */
  stored: CatalogEntry | undefined;
  current: CatalogEntry | undefined;
  /** The wire form of `current`, once it is known. */
  record: string | undefined;
  figures: ScheduleFigures;
}

const NO_SCHEDULES: ScheduleFigures = { schedule_count: 0, rated_count: 0, rating_sum: 0 };

/**
 * Brings drafts of one merchant's products into its catalog, inside one transaction: `open` reads what is
 * there, `apply` merges one draft after the other in memory, `write` puts down what came of it, the
 * counters and the revision with it.
 */
export class CatalogBatch {
  readonly #connection: Connection;
  readonly #merchantId: number;
  readonly #settings: CatalogSettings & { now: number };
  readonly #nowText: string;
  readonly #states = new Map<string, State>();
  /** Each variation's product: by internal id where it is stored, else by identifier. */
  readonly #owners = new Map<string, number | string>();
  #categories: CategoryBudget | undefined;

  private constructor(
    connection: Connection,
    merchantId: number,
    settings: CatalogSettings & { now: number },
  ) {
    this.#connection = connection;
    this.#merchantId = merchantId;
    this.#settings = settings;
    this.#nowText = formatTime(settings.now);
  }

  static async open(
    connection: Connection,
    merchantId: number,
    drafts: readonly ProductDraft[],
    settings: CatalogSettings & { now: number },
  ): Promise<CatalogBatch> {
    const batch = new CatalogBatch(connection, merchantId, settings);
    const identifiers = [...new Set(drafts.map(({ identifier }) => identifier))];
    const found = await lookUp(connection, findProductsByIdentifiers, merchantId, identifiers);
    const rows = new Map(found.map((row) => [row.identifier, row]));
    // In the file's order, not the engine's: variations get their ids in it.
    for (const identifier of identifiers) {
      const row = rows.get(identifier);
      if (row === undefined) continue;
      const stored = { product: parseProduct(row.record), basis: row };
      batch.#states.set(identifier, { stored, current: stored, record: row.record, figures: row });
    }
    const variations = drafts.flatMap((draft) => draft.variations?.map(({ identifier }) => identifier) ?? []);
    for (const row of await lookUp(connection, findVariationOwners, merchantId, variations)) {
      batch.#owners.set(row.identifier, row.product_id);
    }
    if (settings.authority === 'merchant' && settings.maxCategories !== null) {
      const moves = drafts.flatMap(({ identifier, fields: { category } }) => {
        const from = batch.#states.get(identifier)?.stored?.product;
        return category === undefined ? [] : [{ from, to: { category } }];
      });
      const { maxCategories: limit, now } = settings;
      batch.#categories = await CategoryBudget.open(connection, merchantId, moves, { limit, now });
    }
    return batch;
  }

  /** Merges one draft into its product; one with a problem changes nothing. */
  apply(draft: ProductDraft): Outcome {
    const state = this.#states.get(draft.identifier) ?? {
      stored: undefined,
      current: undefined,
      record: undefined,
      figures: NO_SCHEDULES,
    };
    const before = state.current;
    const owner = state.stored?.product.internal_id ?? draft.identifier;
    const { draft: allowed, problems } = this.#readDraft(before, draft);
    problems.push(...this.#problemsOfOwners(owner, draft));
    if (problems.length > 0) return { kind: 'rejected', problems };

    const hasSchedules = state.figures.schedule_count > 0;
    const { lowInventory } = this.#settings;
    const entry = mergeProduct(before, allowed, { now: this.#nowText, lowInventory, hasSchedules });
    const { product } = entry;
    if (before !== undefined) {
      state.record ??= renderProduct(before.product);
      if (renderProduct(product) === state.record) return { kind: 'unchanged' };
    }
    problems.push(...this.#problemsOfLimits(before?.product, product));
    if (problems.length > 0) return { kind: 'rejected', problems };

    this.#categories?.move(before?.product, product);
    for (const { identifier } of draft.variations ?? []) this.#owners.set(identifier, owner);
    this.#states.set(draft.identifier, state);
    state.current = entry;
    state.record = undefined;
    if (before === undefined) return { kind: 'created' };
    const changed = changedFields(before.product, product);
    if ((allowed.fields.updated_at ?? null) === null) product.updated_at = this.#nowText;
    return { kind: 'updated', changed };
  }

  /** The draft as far as its author's authority goes. */
  #readDraft(
    before: CatalogEntry | undefined,
    draft: ProductDraft,
  ): { draft: ProductDraft; problems: Problem[] } {
    if (this.#settings.authority === 'operator') return { draft, problems: [] };
    return readMerchantDraft(before, draft, this.#nowText);
  }

  #problemsOfOwners(owner: number | string, { variations = [] }: ProductDraft): Problem[] {
    const foreign = variations.find(({ identifier }) => (this.#owners.get(identifier) ?? owner) !== owner);
    if (foreign === undefined) return [];
    const reason = 'this variation belongs to another product';
    return [{ column: 'variations', value: foreign.identifier, reason }];
  }

  #problemsOfLimits(before: Product | undefined, product: Product): Problem[] {
    const problems = [checkRecordSize(before, product), this.#categories?.check(before, product)];
    return problems.filter((problem) => problem !== undefined);
  }

  /** The internal id of a product that was in the catalog before this batch. */
  storedId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.stored?.product.internal_id;
  }

  /** The internal id of a product that is in the catalog after `write`. */
  currentId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.current?.product.internal_id;
  }

  /** Writes every product that `apply` changed, new ones under new ids. */
  async write(): Promise<void> {
    const changed = [...this.#states.values()].filter(({ stored, current }) => stored !== current);
    if (changed.length === 0) return;
    const inserts: Value[][] = [];
    const updates: Value[][] = [];
    const variations: Value[][] = [];
    const counts = new Counts();
    await this.#assignIds(changed);
    for (const { stored, current, figures } of changed) {
      if (current === undefined) continue;
      const { product, basis } = current;
      const values = productValues(this.#merchantId, product, { ...figures, ...basis });
      if (stored === undefined) inserts.push(values);
      else updates.push(values);
      const known = new Set(stored?.product.variations.map(({ identifier }) => identifier));
      for (const { identifier } of product.variations) {
        if (!known.has(identifier)) variations.push([this.#merchantId, identifier, product.internal_id]);
      }
      if (stored !== undefined) counts.add(stored.product, -1);
      counts.add(product, 1);
    }
    await this.#connection.runEach(insertProduct, inserts);
    await this.#connection.runEach(updateProduct, updates);
    await this.#connection.runEach(insertVariation, variations);
    await this.#connection.runEach(addToCount, counts.values(this.#merchantId));
    await this.#connection.runEach(deleteEmptyCount, counts.lowered(this.#merchantId));
    await raiseRevision(this.#connection, this.#merchantId, this.#settings.now);
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
    const last = await this.#connection.first(takeIds, [
      products.length,
      variations.length,
      this.#merchantId,
    ]);
    if (last === undefined) throw new Error(`no merchant ${this.#merchantId}`);
    let productId = last.last_product_id - products.length;
    for (const product of products) product.internal_id = ++productId;
    let variationId = last.last_variation_id - variations.length;
    for (const variation of variations) variation.internal_id = ++variationId;
  }
}

/** By how much the counters of a merchant move. */
class Counts {
  /** By status and category, which few products have to themselves. */
  readonly #changes = new Map<string, Pick<Product, 'status' | 'category'> & { by: number }>();

  add({ status, category }: Product, by: number): void {
    const key = `${status}/${category}`;
    const change = this.#changes.get(key);
    if (change === undefined) this.#changes.set(key, { status, category, by });
    else change.by += by;
  }

  values(merchantId: number): Value[][] {
    return [...this.#changes.values()]
      .filter(({ by }) => by !== 0)
      .flatMap((change) =>
        countersOf(change).map(([status, category]) => [merchantId, status, category, change.by]),
      );
  }

  /** The counters that may have fallen to 0. */
  lowered(merchantId: number): Value[][] {
    return [...this.#changes.values()]
      .filter(({ by }) => by < 0)
      .flatMap((change) => countersOf(change).map(([status, category]) => [merchantId, status, category]));
  }
}
