import type { Connection, Value } from '../database/database.ts';
import { lookUp } from '../database/look-up.ts';
import { formatTime } from '../timestamps.ts';
import { mergeProduct } from './merge-product.ts';
import { type Product, parseProduct, renderProduct, type Variation } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { countersOf, productValues, type ScheduleFigures } from './product-values.ts';
import {
  addToCount,
  findProductsByIdentifiers,
  findVariationOwners,
  insertProduct,
  insertVariation,
  takeIds,
  updateProduct,
} from './queries.ts';
import { raiseRevision } from './revision.ts';

/** What became of one draft. */
export type Outcome =
  | { kind: 'created' | 'updated' | 'unchanged' }
  | { kind: 'rejected'; value: string; reason: string };

/** A product on its way through a batch. */
interface State {
  /** As it is in the database; undefined for a new one. */
  stored: Product | undefined;
  current: Product | undefined;
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
  readonly #settings: { now: number; lowInventory: number };
  readonly #nowText: string;
  readonly #states = new Map<string, State>();
  /** Each variation's product: by internal id where it is stored, else by identifier. */
  readonly #owners = new Map<string, number | string>();

  private constructor(
    connection: Connection,
    merchantId: number,
    settings: { now: number; lowInventory: number },
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
    settings: { now: number; lowInventory: number },
  ): Promise<CatalogBatch> {
    const batch = new CatalogBatch(connection, merchantId, settings);
    const identifiers = [...new Set(drafts.map(({ identifier }) => identifier))];
    const found = await lookUp(connection, findProductsByIdentifiers, merchantId, identifiers);
    const rows = new Map(found.map((row) => [row.identifier, row]));
    // In the file's order, not the engine's: variations get their ids in it.
    for (const identifier of identifiers) {
      const row = rows.get(identifier);
      if (row === undefined) continue;
      const stored = parseProduct(row.record);
      batch.#states.set(identifier, { stored, current: stored, figures: row });
    }
    const variations = drafts.flatMap((draft) => draft.variations?.map(({ identifier }) => identifier) ?? []);
    for (const row of await lookUp(connection, findVariationOwners, merchantId, variations)) {
      batch.#owners.set(row.identifier, row.product_id);
    }
    return batch;
  }

  /** Merges one draft into its product; one that lists another product's variation changes nothing. */
  apply(draft: ProductDraft): Outcome {
    const state = this.#states.get(draft.identifier) ?? {
      stored: undefined,
      current: undefined,
      figures: NO_SCHEDULES,
    };
    const owner = state.stored?.internal_id ?? draft.identifier;
    for (const { identifier } of draft.variations ?? []) {
      if ((this.#owners.get(identifier) ?? owner) === owner) continue;
      return { kind: 'rejected', value: identifier, reason: 'this variation belongs to another product' };
    }
    for (const { identifier } of draft.variations ?? []) this.#owners.set(identifier, owner);
    this.#states.set(draft.identifier, state);

    const before = state.current;
    const hasSchedules = state.figures.schedule_count > 0;
    const { lowInventory } = this.#settings;
    const product = mergeProduct(before, draft, { now: this.#nowText, lowInventory, hasSchedules });
    if (before !== undefined && renderProduct(product) === renderProduct(before)) {
      return { kind: 'unchanged' };
    }
    if (before !== undefined && (draft.fields.updated_at ?? null) === null) {
      product.updated_at = this.#nowText;
    }
    state.current = product;
    return { kind: before === undefined ? 'created' : 'updated' };
  }

  /** The internal id of a product that was in the catalog before this batch. */
  storedId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.stored?.internal_id;
  }

  /** The internal id of a product that is in the catalog after `write`. */
  currentId(identifier: string): number | undefined {
    return this.#states.get(identifier)?.current?.internal_id;
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
      const values = productValues(this.#merchantId, current, figures);
      if (stored === undefined) inserts.push(values);
      else updates.push(values);
      const known = new Set(stored?.variations.map(({ identifier }) => identifier));
      for (const { identifier } of current.variations) {
        if (!known.has(identifier)) variations.push([this.#merchantId, identifier, current.internal_id]);
      }
      if (stored !== undefined) counts.add(stored, -1);
      counts.add(current, 1);
    }
    await this.#connection.runEach(insertProduct, inserts);
    await this.#connection.runEach(updateProduct, updates);
    await this.#connection.runEach(insertVariation, variations);
    await this.#connection.runEach(addToCount, counts.values(this.#merchantId));
    await raiseRevision(this.#connection, this.#merchantId, this.#settings.now);
  }

  async #assignIds(changed: readonly State[]): Promise<void> {
    const products: Product[] = [];
    const variations: Variation[] = [];
    for (const { current } of changed) {
      if (current === undefined) continue;
      if (current.internal_id === 0) products.push(current);
      variations.push(...current.variations.filter(({ internal_id }) => internal_id === 0));
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
}
