import { countKeys } from '../../api-keys/list-keys.ts';
import { listAudit } from '../../audit/list-audit.ts';
import type { CampaignCounter } from '../../campaigns/count-campaigns.ts';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { monthIn } from '../../merchants/time-zone.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import type { Overview, ShopAttention } from '../catalog-api.ts';
import { countOrders } from '../orders/count-orders.ts';
import { countProducts } from '../products/count-products.ts';
import { lowInventory } from './list-low-inventory.ts';
import { monthToDate, previousMonth } from './month-to-date.ts';
import { countTokensShown } from './queries.ts';
import { readAds } from './read-ads.ts';
import { readAttention } from './read-attention.ts';
import { readDays } from './read-days.ts';

export interface OverviewSources {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
  campaigns: CampaignCounter;
}

const RECENT_ENTRIES = 10;
/** How many of the first and of the latest audit entries are searched for a key that a user created. */
const MAX_ENTRIES_SEARCHED = 1000;

export async function readOverview(sources: OverviewSources, merchant: MerchantRow): Promise<Overview> {
  const { id } = merchant;
  const { database } = sources;
  const [sales, ads, work, low, keys, recent] = await Promise.all([
    readSales(sources, merchant),
    readAds(sources, merchant),
    readWork(sources, merchant),
    lowInventory(sources, id),
    readKeys(sources, id),
    listAudit(database, id, { limit: RECENT_ENTRIES }),
  ]);
  return { ...sales, ...work, ads, low_inventory: low, keys, recent };
}

/** Reads what waits for the merchant, and the counts of the lists that have it. */
async function readWork(
  sources: OverviewSources,
  merchant: MerchantRow,
): Promise<Pick<Overview, 'orders' | 'products' | 'campaigns'> & { attention: ShopAttention[] }> {
  const [orders, products, campaigns] = await Promise.all([
    countOrders(sources, merchant),
    countProducts(sources, merchant.id),
    sources.campaigns.count(merchant.id),
  ]);
  const exhausted = campaigns.byStatus['Lifetime Budget Exhausted'];
  const counted = { orders, products, campaigns: { exhausted } };
  const attention = await readAttention(sources, merchant.id, counted);
  return { attention, orders, products, campaigns: campaigns.total };
}

async function readSales(
  { database, offLoop, now }: OverviewSources,
  merchant: MerchantRow,
): Promise<Pick<Overview, 'this_month' | 'last_month' | 'last_month_to_date' | 'last_days'>> {
  const thisMonth = monthIn(merchant.time_zone)(now());
  const months = await monthlySales({ database }, merchant.id);
  const lastMonth = previousMonth(thisMonth);
  const current = months.find(({ month }) => month === thisMonth) ?? null;
  const [toDate, days] = await Promise.all([
    current && monthToDate({ offLoop, now }, merchant.id, { months, month: lastMonth, thisMonth }),
    readDays({ offLoop, now }, merchant, months),
  ]);
  return {
    this_month: current,
    last_month: months.find(({ month }) => month === lastMonth) ?? null,
    last_month_to_date: toDate,
    last_days: days,
  };
}

async function readKeys({ database, now }: OverviewSources, merchantId: number): Promise<Overview['keys']> {
  const keys = await countKeys({ database, now }, merchantId);
  if (keys.last_used_at !== null) return { ...keys, token_shown: true };
  const shown = await database.first(countTokensShown, {
    merchantId,
    limit: MAX_ENTRIES_SEARCHED,
  });
  return { ...keys, token_shown: shown !== undefined && shown.tokens > 0 };
}
