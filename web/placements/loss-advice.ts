import type { amountNames, Campaign } from '../../src/campaigns/campaign.ts';
import type { LossReason } from '../../src/placements/decide/loss-reasons.ts';
import type { NeededBid } from '../../src/placements/diagnosis/needed-bids.ts';
import type { ProductStatus } from '../../src/products/record/product.ts';

/** A change of a campaign that the page proposes. */
export interface ProposedChange {
  field: (typeof amountNames)[number];
  /** In the major unit; undefined if the user has to choose it. */
  amount?: number;
}

/** What the user can do about lost requests. */
interface LossAdvice {
  /** Why they were lost. */
  label: string;
  text: string;
  /** The amount to change, and the label of the button that does. */
  change?: { field: ProposedChange['field']; action: string };
  /** The products to look at: those with a status, or all of the campaign (''). */
  products?: { status: ProductStatus | ''; action: string };
}

export const lossAdvice: Record<LossReason, LossAdvice> = {
  outbid: {
    label: 'Others bid more',
    text: 'A higher bid wins more requests. Products that sell well win with lower bids.',
    change: { field: 'bid_amount', action: 'Change the bid' },
  },
  daily_budget: {
    label: 'The daily budget was spent',
    text: 'The campaign was out for the rest of the day. Raise the daily budget to be shown all day.',
    change: { field: 'daily_budget', action: 'Raise the daily budget' },
  },
  daily_budget_per_product: {
    label: 'The daily budget of a product was spent',
    text: 'Other products can still be shown. Raise the daily budget per product to show this one again.',
    change: { field: 'daily_budget_per_product', action: 'Raise the budget per product' },
  },
  lifetime_budget: {
    label: 'The lifetime budget was spent',
    text: 'The campaign stays out until you raise its lifetime budget.',
    change: { field: 'lifetime_budget', action: 'Raise the lifetime budget' },
  },
  lifetime_budget_per_product: {
    label: 'The lifetime budget of a product was spent',
    text: 'Other products can still be shown. Raise the lifetime budget per product to show this one again.',
    change: { field: 'lifetime_budget_per_product', action: 'Raise the budget per product' },
  },
  paced: {
    label: 'Paced over the day',
    text: 'The campaign sat these out so that its daily budget lasts all day. A higher daily budget sits out fewer.',
    change: { field: 'daily_budget', action: 'Raise the daily budget' },
  },
  max_daily_schedules: {
    label: 'Products reached their limit for the day',
    text: 'A product isn’t shown more often on one day than its “Max schedules per day”. Raise this number to show the product more.',
    products: { status: '', action: 'Show the products' },
  },
  out_of_stock: {
    label: 'Sold out',
    text: 'Restock the products to show them again.',
    products: { status: 'sold_out', action: 'Show sold out products' },
  },
  moderated: {
    label: 'Products need attention',
    text: 'The marketplace found problems. Correct them to show the products again; products that it has banned stay out.',
    products: { status: 'problematic', action: 'Show products that need attention' },
  },
  disabled: {
    label: 'Products were disabled',
    text: 'Enable the products to show them again.',
    products: { status: 'disabled', action: 'Show disabled products' },
  },
  no_bid: {
    label: 'No bid',
    text: 'Set a bid amount, or a scheduling fee bid for each product.',
    change: { field: 'bid_amount', action: 'Set a bid' },
  },
  below_floor: {
    label: 'The bid was below the least price',
    text: 'The marketplace asked for more than the campaign bids. Raise the bid to compete.',
    change: { field: 'bid_amount', action: 'Raise the bid' },
  },
  paused: {
    label: 'The campaign wasn’t running',
    text: 'It was paused, had ended, or was outside its hours. Resume it, choose more hours, or duplicate it if it has ended.',
  },
  over_max_per_merchant: {
    label: 'Other products of yours were shown',
    text: 'They filled all places that a request had for your shop or this campaign. Nothing needs to change.',
  },
};

/** Parts of all requests, in words. */
const parts: Record<number, string> = { 25: 'a quarter', 50: 'half', 75: 'three quarters' };

export function partOfRequests(percent: number): string {
  return parts[percent] ?? `${percent}%`;
}

/** Returns the least bid above the campaign's that would have won more; undefined if no such bid is known. */
export function higherBid(
  bids: readonly NeededBid[] | null,
  { bid_amount: bid }: Pick<Campaign, 'bid_amount'>,
): NeededBid | undefined {
  const higher = bids?.filter((needed) => needed.bid > (bid ?? 0)) ?? [];
  // If several parts need the same bid, it wins the largest of them.
  return higher.findLast((needed) => needed.bid === higher[0]?.bid);
}
