import { type Merchant, standingOfGroup } from './groups.ts';
import { NONE } from './ordered-trees.ts';
import type { Seats } from './seats.ts';
import { COMPETES, type Counts, noCounts, STANDINGS } from './standings.ts';
import type { Bucket, Tables } from './tables.ts';

/** The part of a request that says who competes in it (contract for campaigns, “Asking for placements”). */
export interface CompetitionRequest {
  /** “The caller's name of this request”: only decides about equal scores. */
  key: string;
  /** “Only campaigns of merchants with it compete.” */
  currency: string;
  /** “Campaign type”; null for any. */
  type: string | null;
  /** “One or two levels”; empty for any. */
  category: readonly string[];
  /** “Up to 500 candidates”; null: “every product competes”. */
  products: readonly { merchantId: number; productId: number }[] | null;
  /** “`{merchant}` or `{merchant, identifier}`”; without a product, the whole merchant. */
  exclude: readonly { merchantId: number; productId: number | null }[];
}

/** What a request's filters leave. */
export class Entrants {
  readonly buckets: ReadonlySet<Bucket>;
  readonly excludedMerchants = new Set<number>();
  readonly excludedProducts = new Set<number>();
  readonly #tables: Tables;

  constructor(
    tables: Tables,
    merchants: ReadonlyMap<number, Merchant>,
    { currency, type, category, exclude }: CompetitionRequest,
  ) {
    this.#tables = tables;
    const buckets = [...tables.bucketsIn(currency, category)].filter(
      (bucket) => bucket.type !== '' && (type === null || bucket.type === type),
    );
    this.buckets = new Set(buckets);
    for (const { merchantId, productId } of exclude) {
      const merchant = merchants.get(merchantId);
      if (merchant === undefined) continue;
      if (productId === null) this.excludedMerchants.add(merchantId);
      else this.excludedProducts.add(tables.productLookup.find(merchant.number, productId));
    }
    this.excludedProducts.delete(NONE);
  }

  /** Whether the filters leave a product, whatever its standing is. */
  has(product: number): boolean {
    return !this.excludedProducts.has(product) && this.hasBeforeProducts(product);
  }

  /** The same without `{merchant, identifier}` of `exclude`. */
  hasBeforeProducts(product: number): boolean {
    const stall = this.#tables.stallOf(this.#tables.products.run[product] ?? NONE);
    const { id, isActive } = this.#tables.merchantOf(stall);
    return isActive && !this.excludedMerchants.has(id) && this.buckets.has(this.#tables.bucketOf(stall));
  }

  standingOf(product: number): number {
    const { products } = this.#tables;
    const own = products.standing[product] ?? COMPETES;
    return own === COMPETES ? standingOfGroup(this.#tables.groupOf(products.run[product] ?? NONE)) : own;
  }

  /** Counts all products that the filters leave. Takes no longer for more products. */
  count(seats: Seats, merchants: ReadonlyMap<number, Merchant>): Counts {
    const total = noCounts();
    const add = (standing: number, change: number): void => {
      total[standing] = (total[standing] ?? 0) + change;
    };
    for (const { counts } of this.buckets)
      for (const [standing, count] of counts.entries()) add(standing, count);
    for (const id of this.excludedMerchants) {
      const merchant = merchants.get(id);
      if (merchant === undefined || !merchant.isActive) continue;
      for (const stall of seats.stallsOf(merchant)) {
        if (!this.buckets.has(this.#tables.bucketOf(stall))) continue;
        for (let standing = 0; standing < STANDINGS; standing++)
          add(standing, -(this.#tables.stalls.counts[stall * STANDINGS + standing] ?? 0));
      }
    }
    for (const product of this.excludedProducts)
      if (this.hasBeforeProducts(product)) add(this.standingOf(product), -1);
    return total;
  }
}
