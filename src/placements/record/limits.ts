import type { CampaignRow } from '../../campaigns/campaign.ts';
import { unitsOf } from '../../shared/amounts.ts';
import type { FiguresKey, PlacementFigures } from './figures.ts';
import type { Placement } from './placement.ts';

/** The budgets of a campaign, and the figures that count against each. */
export const limits = [
  ['daily_budget', false, true],
  ['daily_budget_per_product', true, true],
  ['lifetime_budget', false, false],
  ['lifetime_budget_per_product', true, false],
] as const satisfies [name: keyof CampaignRow, isPerProduct: boolean, isDaily: boolean][];

export type LimitName = (typeof limits)[number][0];

/** Returns the figures that a placement counts against, by budget. */
export function keyOf(
  { campaign_id, product_id, day }: Pick<Placement, keyof FiguresKey>,
  isPerProduct: boolean,
  isDaily: boolean,
): FiguresKey {
  return { campaign_id, product_id: isPerProduct ? product_id : 0, day: isDaily ? day : '' };
}

/**
 * Returns the first budget that does not cover a price in addition to what is reserved and delivered;
 * undefined if all four do (contract for campaigns, “Who competes”).
 */
export function exceededBy(
  price: number,
  campaign: Pick<CampaignRow, LimitName>,
  placement: Pick<Placement, keyof FiguresKey>,
  figuresOf: (key: FiguresKey) => PlacementFigures,
): LimitName | undefined {
  return limits.find(([name, isPerProduct, isDaily]) => {
    const budget = campaign[name];
    if (budget === null) return false;
    const { reserved_amount, spend } = figuresOf(keyOf(placement, isPerProduct, isDaily));
    return reserved_amount + spend + price > unitsOf(budget);
  })?.[0];
}
