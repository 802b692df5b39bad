import type { Product } from '../../src/products/record/product.ts';

type Prices = Pick<Product, 'buy_now_price' | 'cost_basis' | 'minimum_bid_amount'>;

/** Returns a warning for each price that is probably a mistake, by field. Such prices can be saved. */
export function priceWarnings(
  { buy_now_price: price, cost_basis: cost, minimum_bid_amount: bid }: Prices,
  money: (value: number) => string,
): Partial<Record<keyof Product, string>> {
  if (price === null) return {};
  return {
    ...(cost !== null && price < cost && { buy_now_price: `The price is below cost (${money(cost)}).` }),
    ...(bid !== null &&
      bid > price && {
        minimum_bid_amount: `The minimum bid is above the buy-now price (${money(price)}).`,
      }),
  };
}
