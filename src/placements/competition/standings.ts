import type { CampaignStatus } from '../../campaigns/campaign.ts';
import type { ProductStatus } from '../../products/record/product.ts';
import { addLosers, type Losers, type LossReason } from '../decide/loss-reasons.ts';

/** Why a campaign sits out until somebody says otherwise. */
export type CampaignRest = 'daily_budget' | 'lifetime_budget';
/** Why a product sits out until somebody says otherwise. */
export type ProductRest = 'max_daily_schedules' | 'daily_budget_per_product' | 'lifetime_budget_per_product';

/** What a product of a campaign is before any request: it competes, or has lost. */
const standings = [
  'competes',
  'paused',
  'daily_budget',
  'lifetime_budget',
  'moderated',
  'disabled',
  'out_of_stock',
  'no_bid',
  'max_daily_schedules',
  'daily_budget_per_product',
  'lifetime_budget_per_product',
] as const satisfies ('competes' | LossReason)[];

/** An index of `standings`. */
export type Standing = number;
export const COMPETES: Standing = 0;
export const STANDINGS = standings.length;

/** Returns why a product has lost; undefined if it competes. */
export function reasonOf(standing: Standing): LossReason | undefined {
  const name = standings[standing];
  return name === 'competes' ? undefined : name;
}

export function standingFor(name: (typeof standings)[number] | null): Standing {
  return name === null ? COMPETES : standings.indexOf(name);
}

/** “Product `in_stock`, `low_inventory` or `enabled`.” Undefined if it is no candidate at all. */
export function standingOfProduct(status: ProductStatus): Standing | undefined {
  switch (status) {
    case 'in_stock':
    case 'low_inventory':
    case 'enabled':
      return COMPETES;
    case 'problematic':
    case 'banned':
      return standingFor('moderated');
    case 'disabled':
      return standingFor('disabled');
    case 'sold_out':
      return standingFor('out_of_stock');
    case 'deleted':
      return undefined;
  }
}

/** “Campaign `Active`.” Undefined if its products are no candidates at all. */
export function standingOfCampaign(status: CampaignStatus): Standing | undefined {
  switch (status) {
    case 'Active':
      return COMPETES;
    case 'Paused':
      return standingFor('paused');
    case 'Lifetime Budget Exhausted':
      return standingFor('lifetime_budget');
    case 'Expired':
      return undefined;
  }
}

/** Returns why a product with a standing has lost; null if it competes. */
export function lossOf(standing: Standing): LossReason | null {
  const name = standings[standing] ?? 'competes';
  return name === 'competes' ? null : name;
}

/** How many products have each standing. */
export type Counts = number[];

export function noCounts(): Counts {
  return Array.from({ length: STANDINGS }, () => 0);
}

export function losersOf(counts: Readonly<Counts>): Losers {
  const losers: Losers = {};
  for (const [standing, count] of counts.entries()) {
    const reason = reasonOf(standing);
    if (reason !== undefined) addLosers(losers, reason, count);
  }
  return losers;
}
