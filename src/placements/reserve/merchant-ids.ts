import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import {
  findMerchantsByExternalIds,
  findMerchantsByIds,
  MERCHANTS_AT_ONCE,
} from '../../merchants/queries.ts';
import { findProductIds } from '../../products/record/queries.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { TimeSlices } from '../../shared/time-slices.ts';

/** A product, or all of a merchant, by the operator's and the merchant's own IDs. */
export interface SentReference {
  merchant: string;
  identifier: string | null;
}

/** The same by internal IDs. */
export interface Reference {
  merchantId: number;
  productId: number | null;
}

/** The operator may change an ID, which counts from then on. */
const KEPT_MS = 2_000;
/** Few, so that the requests of merchants hardly wait. */
const LOOKUPS_AT_ONCE = 10;

/** Internal IDs of products by merchant and identifier. */
type ProductIds = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** What was found of all that the requests of a call name. */
export class FoundReferences {
  readonly #merchants: ReadonlyMap<string, number>;
  readonly #products: ProductIds;

  constructor(merchants: ReadonlyMap<string, number>, products: ProductIds) {
    this.#merchants = merchants;
    this.#products = products;
  }

  /** Returns each of these once, without those that do not exist. */
  of(sent: readonly SentReference[]): Reference[] {
    const found = new Map<string, Reference>();
    for (const { merchant, identifier } of sent) {
      const merchantId = this.#merchants.get(merchant);
      if (merchantId === undefined) continue;
      const productId = identifier === null ? null : this.#products.get(merchantId)?.get(identifier);
      if (productId !== undefined) found.set(`${merchantId} ${productId}`, { merchantId, productId });
    }
    return [...found.values()];
  }

  /** As `of`, without whole merchants. */
  products(sent: readonly SentReference[]): { merchantId: number; productId: number }[] {
    return this.of(sent).flatMap(({ merchantId, productId }) =>
      productId === null ? [] : [{ merchantId, productId }],
    );
  }
}

/** Translates between the IDs that the operator uses and internal IDs. */
export class MerchantIds {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #externalIds = new Map<number, string>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor({ database, now }: { database: Database; now: () => number }) {
    this.#database = database;
    this.#now = now;
  }

  /** Looks up everything that the requests of a call name, each merchant and each product once. */
  async find(sent: readonly SentReference[]): Promise<FoundReferences> {
    const merchants = await this.#merchantsOf(new Set(sent.map(({ merchant }) => merchant)));
    const identifiers = new Map<number, Set<string>>();
    for (const { merchant, identifier } of sent) {
      const merchantId = merchants.get(merchant);
      if (merchantId === undefined || identifier === null) continue;
      identifiers.set(merchantId, (identifiers.get(merchantId) ?? new Set()).add(identifier));
    }
    return new FoundReferences(merchants, await this.#productsOf(identifiers));
  }

  async #merchantsOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const merchants = new Map<string, number>();
    await inBatches([...partsOf([...names], MERCHANTS_AT_ONCE)], async (externalIds) => {
      for (const { id, external_id } of await this.#database.all(findMerchantsByExternalIds, { externalIds }))
        merchants.set(external_id, id);
    });
    return merchants;
  }

  async #productsOf(identifiers: ReadonlyMap<number, ReadonlySet<string>>): Promise<ProductIds> {
    const products = new Map<number, ReadonlyMap<string, number>>();
    await inBatches([...identifiers], async ([merchantId, names]) => {
      const rows = await lookUp(this.#database, findProductIds, merchantId, [...names]);
      products.set(merchantId, new Map(rows.map((row) => [row.identifier, row.internal_id])));
    });
    return products;
  }

  /** Returns the external IDs of merchants by their IDs. */
  async externalIds(merchantIds: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const now = this.#now();
    if (Math.abs(now - this.#readAt) > KEPT_MS) {
      this.#externalIds.clear();
      this.#readAt = now;
    }
    const unknown = [...new Set(merchantIds)].filter((id) => !this.#externalIds.has(id));
    await Promise.all(
      [...partsOf(unknown, MERCHANTS_AT_ONCE)].map(async (ids) => {
        for (const { id, external_id } of await this.#database.all(findMerchantsByIds, { ids }))
          this.#externalIds.set(id, external_id);
      }),
    );
    return this.#externalIds;
  }
}

/** A call may name tens of thousands of merchants. */
async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const slices = new TimeSlices();
  for (const batch of partsOf(items, LOOKUPS_AT_ONCE)) {
    await Promise.all(batch.map(work));
    await slices.pause();
  }
}
