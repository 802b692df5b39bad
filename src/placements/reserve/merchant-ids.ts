import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import {
  findMerchantsByExternalIds,
  findMerchantsByIds,
  MERCHANTS_AT_ONCE,
} from '../../merchants/queries.ts';
import { findProductIds } from '../../products/record/queries.ts';
import { partsOf } from '../../shared/parts-of.ts';

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

  /** Leaves out whatever does not exist. */
  async find(sent: readonly SentReference[]): Promise<Reference[]> {
    if (sent.length === 0) return [];
    const names = [...new Set(sent.map(({ merchant }) => merchant))];
    const found = await Promise.all(
      [...partsOf(names, MERCHANTS_AT_ONCE)].map((externalIds) =>
        this.#database.all(findMerchantsByExternalIds, { externalIds }),
      ),
    );
    const merchants = new Map(found.flat().map(({ id, external_id }) => [external_id, id]));
    const products = await Promise.all(
      [...Map.groupBy(sent, ({ merchant }) => merchants.get(merchant))].map(
        async ([merchantId, references]) => {
          if (merchantId === undefined) return [];
          const identifiers = new Set(references.flatMap(({ identifier }) => identifier ?? []));
          const rows = await lookUp(this.#database, findProductIds, merchantId, [...identifiers]);
          const ofProducts = rows.map((row): Reference => ({ merchantId, productId: row.internal_id }));
          const isWhole = references.some(({ identifier }) => identifier === null);
          return isWhole ? [...ofProducts, { merchantId, productId: null }] : ofProducts;
        },
      ),
    );
    return products.flat();
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
