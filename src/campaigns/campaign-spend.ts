import { unitsOf } from '../shared/amounts.ts';

/**
 * Whether a budget no longer covers the campaign's bid in addition to what is spent, which is in units.
 * Without a bid, products have their own, so any rest counts.
 */
export function isSpent(
  budget: number | null,
  spent: number,
  { bid_amount }: { bid_amount: number | null },
): boolean {
  return budget !== null && spent + Math.max(unitsOf(bid_amount ?? 0), 1) > unitsOf(budget);
}
