import type { Product } from './product.ts';

// Prices that are probably mistakes. They can be saved: a merchant may want them.

/** Whether the product is sold for less than it cost. */
export function isBelowCost({
  buy_now_price: price,
  cost_basis: cost,
}: Pick<Product, 'buy_now_price' | 'cost_basis'>): boolean {
  return price !== null && cost !== null && price < cost;
}

/** Whether a bid must be higher than the price for which the product can be bought at once. */
export function isBidAbovePrice({
  buy_now_price: price,
  minimum_bid_amount: bid,
}: Pick<Product, 'buy_now_price' | 'minimum_bid_amount'>): boolean {
  return price !== null && bid !== null && bid > price;
}
