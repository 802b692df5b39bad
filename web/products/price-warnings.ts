import { isBelowCost, isBidAbovePrice } from '../../src/products/record/doubtful-prices.ts';
import type { Product } from '../../src/products/record/product.ts';
import { numberOf } from './inline-value.ts';

export type Prices = Pick<Product, 'buy_now_price' | 'cost_basis' | 'minimum_bid_amount'>;

/** Returns a warning for each price that is probably a mistake, by field. Such prices can be saved. */
export function priceWarnings(
  prices: Prices,
  money: (value: number) => string,
): Partial<Record<keyof Product, string>> {
  const { buy_now_price: price, cost_basis: cost } = prices;
  return {
    ...(isBelowCost(prices) && { buy_now_price: `The price is below cost (${money(cost ?? 0)}).` }),
    ...(isBidAbovePrice(prices) && {
      minimum_bid_amount: `The minimum bid is above the buy-now price (${money(price ?? 0)}).`,
    }),
  };
}

/** Returns the prices in the inputs of a form. A text that is not a number counts as missing. */
export function pricesIn(textOf: (name: keyof Prices) => string): Prices {
  return {
    buy_now_price: numberOf(textOf('buy_now_price')),
    cost_basis: numberOf(textOf('cost_basis')),
    minimum_bid_amount: numberOf(textOf('minimum_bid_amount')),
  };
}
