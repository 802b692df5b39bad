import { OPERATOR } from '../audit/record-audit.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import type { Connection, Database } from '../database/database.ts';
import type { ItemMerchants } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { dayIn } from '../merchants/time-zone.ts';
import { importFacts } from '../placements/facts/import-facts.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import type { ScheduleDraft } from '../sales/schedule-draft.ts';
import { minorUnitOf, unitsOf } from '../shared/amounts.ts';
import { type AdvertisedCampaign, generatePlacements } from './generate-placements.ts';
import { inBatches } from './in-batches.ts';
import { Random } from './random.ts';

/** The age of the campaigns, which is more than the age of their placements. */
const AGE_MS = 60 * 24 * 60 * 60 * 1000;
const SEED = 201;

/** `share` is the number of placements on a usual day for each product of the shop. */
const campaigns = [
  { name: 'Spring sale', bid_amount: 0.35, daily_budget: 10, lifetime_budget: 500, share: 1 / 65 },
  { name: 'Clearance', bid_amount: 0.2, daily_budget: 5, lifetime_budget: undefined, share: 1 / 100 },
] as const;

/** Adds two campaigns and their placements, which are tied to `schedules` that were imported before. */
export async function fillCampaigns(
  services: { database: Database; now: () => number; lowBudget: number },
  merchant: MerchantRow,
  merchants: ItemMerchants<MerchantRow>,
  { products, schedules }: { products: readonly ProductDraft[]; schedules: readonly ScheduleDraft[] },
): Promise<void> {
  const now = services.now();
  const random = new Random(SEED);
  const time = { now, dayOf: dayIn(merchant.time_zone), minorUnit: minorUnitOf(merchant.currency) };
  const create = async (connection: Connection): Promise<AdvertisedCampaign[]> => {
    await merchants.lock(connection, merchant);
    const created: AdvertisedCampaign[] = [];
    for (const { share, ...fields } of campaigns) {
      const perProduct = { daily_budget_per_product: undefined, lifetime_budget_per_product: undefined };
      const hours = fields.name === 'Clearance' ? { 0: 0, 1: 0, 7: 0 } : undefined;
      const context = { connection, merchantId: merchant.id, who: OPERATOR, now: now - AGE_MS, budget: null };
      const input = { ...fields, type: 'AuctionCampaign', ...perProduct, hourly_schedule: hours };
      const { internal_id: id, name } = await createCampaign(context, input);
      created.push({
        id,
        products: products.filter(({ fields: { campaign_name } }) => campaign_name === name),
        perDay: products.length * share,
        bid: unitsOf(fields.bid_amount),
        daily_budget: unitsOf(fields.daily_budget),
      });
    }
    return created;
  };
  const created = await services.database.transaction(create, { merchantId: merchant.id });
  const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
  const facts = created.flatMap((campaign) => generatePlacements(campaign, schedules, random, time));
  await importFacts(services, inBatches(facts), options);
}
