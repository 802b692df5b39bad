import type { TransactionContext } from '../../database/write-context.ts';
import {
  addToCampaignProducts,
  addToCount,
  type CampaignProductsRow,
  deleteEmptyCampaignProducts,
  deleteEmptyCount,
} from './count-queries.ts';
import type { Product } from './product.ts';
import { campaignOfProduct, countersOf } from './product-row.ts';

/** Changes of the numbers of products: by status and category, and by campaign. */
export class CountChanges {
  readonly #changes = new Map<string, Pick<Product, 'status' | 'category'> & { by: number }>();
  /** By name. */
  readonly #campaigns = new Map<string, Pick<CampaignProductsRow, 'products' | 'with_bid'>>();

  add(product: Product, by: 1 | -1): void {
    const { status, category } = product;
    const key = `${status}/${category}`;
    const change = this.#changes.get(key);
    if (change === undefined) this.#changes.set(key, { status, category, by });
    else change.by += by;
    const name = campaignOfProduct(product);
    if (name === null) return;
    const campaign = this.#campaigns.get(name) ?? { products: 0, with_bid: 0 };
    campaign.products += by;
    if (product.scheduling_fee_bid !== null) campaign.with_bid += by;
    this.#campaigns.set(name, campaign);
  }

  /** The transaction must have locked the merchant. Counters that are 0 then are deleted. */
  write({ connection, merchantId: merchant_id }: TransactionContext): void {
    const changes = [...this.#changes.values()].filter(({ by }) => by !== 0);
    const counts = changes.flatMap((change) =>
      countersOf(change).map((counter) => ({ merchant_id, ...counter, products: change.by })),
    );
    const campaigns = [...this.#campaigns]
      .map(([campaign_name, change]): CampaignProductsRow => ({ merchant_id, campaign_name, ...change }))
      .filter(({ products, with_bid }) => products !== 0 || with_bid !== 0);
    const isLowered = ({ products }: { products: number }): boolean => products < 0;
    connection.send(addToCount, counts);
    connection.send(deleteEmptyCount, counts.filter(isLowered));
    connection.send(addToCampaignProducts, campaigns);
    connection.send(deleteEmptyCampaignProducts, campaigns.filter(isLowered));
  }
}
