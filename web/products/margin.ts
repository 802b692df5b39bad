import type { Prices } from './price-warnings.ts';

/** What remains of the price after the cost. */
export interface Margin {
  amount: number;
  /** Of the price; negative below cost. */
  ratio: number;
}

/** Returns the margin of a product that is bought at once; null without a price or a cost. */
export function marginOf({
  buy_now_price: price,
  cost_basis: cost,
}: Pick<Prices, 'buy_now_price' | 'cost_basis'>): Margin | null {
  if (price === null || cost === null || price === 0) return null;
  return { amount: price - cost, ratio: (price - cost) / price };
}
