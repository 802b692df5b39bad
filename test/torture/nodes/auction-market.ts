import { OPERATOR } from '../../../src/audit/record-audit.ts';
import { createCampaign } from '../../../src/campaigns/create-campaign.ts';
import type { Database } from '../../../src/database/database.ts';
import { statement } from '../../../src/database/statement.ts';
import type { Random } from '../../../src/demo/random.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { figureNames } from '../../../src/placements/record/figures.ts';
import { draft, importDrafts } from '../../support/catalog.ts';
import { createKey, createOperatorKey } from '../../support/keys.ts';

const ZONES = ['UTC', 'Pacific/Auckland', 'America/New_York', 'Asia/Tokyo'] as const;
const NAMES = ['Spring', 'Summer'] as const;
const PRODUCTS = 5;

export interface Bidder {
  token: string;
  /** With lifetime budgets in the major unit. */
  campaigns: { id: string; lifetime: number }[];
}

/** Adds merchants whose campaigns have small budgets. */
export async function fillMarket(
  database: Database,
  random: Random,
): Promise<{ bidders: Bidder[]; token: string }> {
  const services = { database, now: Date.now };
  const bidders: Bidder[] = [];
  for (const timeZone of ZONES) {
    const merchant = await createMerchant(services, { name: timeZone, email: null, timeZone });
    const campaigns = await database.transaction(
      async (connection) => {
        const created: Bidder['campaigns'] = [];
        for (const name of NAMES) {
          const context = {
            connection,
            merchantId: merchant.id,
            who: OPERATOR,
            now: Date.now(),
            budget: null,
          };
          const { internal_id: id } = await createCampaign(context, {
            ...{ name, type: 'AuctionCampaign', bid_amount: random.whole(1, 20) / 100 },
            ...{ daily_budget: 20, daily_budget_per_product: 8, lifetime_budget: 5 },
            ...{ lifetime_budget_per_product: 60, hourly_schedule: undefined },
          });
          created.push({ id, lifetime: 5 });
        }
        return created;
      },
      { merchantId: merchant.id },
    );
    const drafts = Array.from({ length: PRODUCTS }, (_, index) =>
      draft(`P-${index}`, {
        ...{ campaign_name: NAMES[index % NAMES.length] ?? null, available_quantity: 9 },
        max_daily_schedules: index === 0 ? 50 : null,
      }),
    );
    await importDrafts(services, merchant, [drafts]);
    const key = { merchantId: merchant.id, name: 'ERP', expiresAt: null };
    bidders.push({ token: (await createKey(services, key)).token, campaigns });
  }
  const key = { name: 'back end', scopes: ['campaigns'], expiresAt: null } as const;
  return { bidders, token: (await createOperatorKey(services, key)).token };
}

const budget = (name: string): string => `CAST(round(c.${name} * 10000) AS bigint)`;
const used = 'f.reserved_amount + f.spend';

/** Every budget that is exceeded, and every `max_daily_schedules`. */
export const listOverspent = statement<unknown, { merchant_id: number }>(
  `SELECT f.merchant_id FROM placement_figures f
   JOIN campaigns c ON c.merchant_id = f.merchant_id AND c.id = f.campaign_id
   WHERE (f.product_id = 0 AND f.day <> '' AND ${used} > ${budget('daily_budget')})
     OR (f.product_id = 0 AND f.day = '' AND ${used} > ${budget('lifetime_budget')})
     OR (f.product_id > 0 AND f.day <> '' AND ${used} > ${budget('daily_budget_per_product')})
     OR (f.product_id > 0 AND f.day = '' AND ${used} > ${budget('lifetime_budget_per_product')})
   UNION ALL
   SELECT f.merchant_id FROM placement_figures f
   JOIN products p ON p.merchant_id = f.merchant_id AND p.internal_id = f.product_id
   WHERE f.campaign_id = '' AND p.max_daily_schedules >= 0
     AND f.reserved + f.delivered > p.max_daily_schedules`,
  { everyNode: true },
);

export const listGiven = statement<unknown, { placement_id: string; price: number; late: number }>(
  'SELECT placement_id, price, late FROM placements WHERE reserved_at IS NOT NULL',
  { everyNode: true },
);

const of = (state: string, column: string): string =>
  `coalesce(sum(CASE WHEN p.state = '${state}' THEN ${column} END), 0)`;
const sums: Record<(typeof figureNames)[number], string> = {
  reserved: of('reserved', '1'),
  reserved_amount: of('reserved', 'p.price'),
  delivered: of('delivered', '1'),
  spend: of('delivered', 'p.price'),
  orders: of('delivered', 'CASE WHEN p.revenue IS NULL THEN 0 ELSE 1 END'),
  revenue: of('delivered', 'p.revenue'),
};

/** Counts figures of campaigns that differ from what their lines add up to. */
export const countUnequalFigures = statement<unknown, { unequal: number }>(
  `SELECT CAST(count(*) AS bigint) AS unequal FROM placement_figures f
   WHERE f.campaign_id <> '' AND EXISTS (
     SELECT 1 FROM (SELECT ${figureNames.map((name) => `${sums[name]} AS ${name}`).join(', ')} FROM placements p
       WHERE p.merchant_id = f.merchant_id AND p.campaign_id = f.campaign_id
         AND (f.product_id = 0 OR p.product_id = f.product_id) AND (f.day = '' OR p.day = f.day)) AS s
     WHERE ${figureNames.map((name) => `s.${name} <> f.${name}`).join(' OR ')})`,
  { everyNode: true },
);
