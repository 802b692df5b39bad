import type { Actor } from '../../database/actor.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { CatalogBatch } from '../../products/record/catalog-batch.ts';
import { MAX_COUNT, type Product } from '../../products/record/product.ts';
import type { Order } from './order.ts';

/** What an order has sold. */
type Sold = Pick<Order, 'product_identifier' | 'variation_identifier'>;

/** The stock of products that orders are pushed for or refunded, in the transaction of the orders. */
export class OrderStock {
  readonly #catalog: CatalogBatch;

  private constructor(catalog: CatalogBatch) {
    this.#catalog = catalog;
  }

  /** Reads the products. The transaction must have locked the merchant. */
  static async open(
    context: WriteContext & { lowInventory: number },
    sold: readonly Sold[],
  ): Promise<OrderStock> {
    const identifiers = new Set(sold.map(({ product_identifier }) => product_identifier));
    const drafts = [...identifiers].map((identifier) => {
      return { merchant: null, identifier, fields: {}, variations: undefined };
    });
    const { lowInventory } = context;
    return new OrderStock(await CatalogBatch.open(context, drafts, { authority: 'operator', lowInventory }));
  }

  product(identifier: string): Product | undefined {
    return this.#catalog.entry(identifier)?.product;
  }

  /**
   * Changes the stock by a number of units, never to less than 0. Returns the units by which it has changed:
   * 0 if there are too few, or if the product's stock is not tracked. `who` is by default the batch's.
   */
  change(
    { product_identifier, variation_identifier }: Sold,
    units: number,
    who?: Actor,
  ): { units: number; isTracked: boolean } {
    const entry = this.#catalog.entry(product_identifier);
    if (entry === undefined) return { units: 0, isTracked: false };
    const { product, basis } = entry;
    const variation = product.variations.find(({ identifier }) => identifier === variation_identifier);
    if (variation === undefined && (product.variations.length > 0 || basis.stock_tracked === 0))
      return { units: 0, isTracked: false };
    const current = (variation === undefined ? product.available_quantity : variation.quantity) ?? 0;
    if (current + units < 0) return { units: 0, isTracked: true };
    const quantity = Math.min(current + units, MAX_COUNT);
    const draft = {
      merchant: null,
      identifier: product_identifier,
      fields: variation === undefined ? { available_quantity: quantity } : {},
      variations:
        variation === undefined
          ? undefined
          : [{ identifier: variation.identifier, quantity, deleted_at: variation.deleted_at }],
      keepsUnlisted: true as const,
    };
    const outcome = this.#catalog.apply(draft, [], who);
    if (outcome.kind === 'rejected')
      throw new Error(
        `the stock of ${product_identifier}: ${outcome.problems.map((each) => each.reason).join('; ')}`,
      );
    return { units, isTracked: true };
  }

  async write(): Promise<void> {
    await this.#catalog.write();
  }
}
