import type { Candidate } from '../decide/ranking.ts';
import { NONE } from './ordered-trees.ts';
import type { Tables } from './tables.ts';
import { mix, type Turns, turnFrom } from './turns.ts';

/** Returns a product that competes. */
export function candidateOf(tables: Tables, product: number, turns: Turns): Candidate {
  const { products } = tables;
  const { merchant, chosen, hash } = tables.groupOf(products.run[product] ?? NONE);
  if (chosen === undefined) throw new Error(`product ${products.id[product]} has no campaign`);
  const bid = chosen.bid ?? (products.bid[product] ?? 0) - 1;
  const quality = products.quality[product] ?? 0;
  const maxDaily = products.maxDaily[product] ?? 0;
  const productId = products.id[product] ?? 0;
  return {
    merchantId: merchant.id,
    campaignId: chosen.id,
    productId,
    bid: bid * merchant.minorUnit,
    isCampaignBid: chosen.bid !== null,
    quality,
    score: bid * quality,
    merchantTurn: turns.ofMerchant(merchant.id),
    campaignTurn: turnFrom(turns.campaignStart, hash),
    productTurn: turnFrom(turns.productStart, mix(productId)),
    maxDailySchedules: maxDaily === 0 ? null : maxDaily - 1,
  };
}
