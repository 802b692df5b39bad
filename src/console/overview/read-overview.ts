import { countKeys } from '../../api-keys/list-keys.ts';
import { listAudit } from '../../audit/list-audit.ts';
import type { CampaignCounter } from '../../campaigns/count-campaigns.ts';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { monthIn } from '../../merchants/time-zone.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import type { Overview } from '../catalog-api.ts';
import { countOrders } from '../orders/count-orders.ts';
import { countProducts } from '../products/count-products.ts';
import { lowInventory } from './list-low-inventory.ts';
import { monthToDate, previousMonth } from './month-to-date.ts';
import { countTokensShown } from './queries.ts';
import { readAds } from './read-ads.ts';

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
  const { id, time_zone: timeZone } = merchant;
  const { database, now, campaigns } = sources;
  const thisMonth = monthIn(timeZone)(now());
  const [sales, ads, orders, products, low, keys, campaignCount, recent] = await Promise.all([
    readSales(sources, id, thisMonth),
    readAds(sources, merchant),
    countOrders({ database, now }, { id, time_zone: timeZone }),
    countProducts({ database }, id),
    lowInventory({ database, now }, id),
    readKeys(sources, id),
    campaigns.count(id),
    listAudit(database, id, { limit: RECENT_ENTRIES }),
  ]);
  return {
    ...sales,
    ads,
    orders,
    products,
    low_inventory: low,
    keys,
    campaigns: campaignCount.total,
    recent: recent.entries,
  };
}

async function readSales(
  { database, offLoop, now }: OverviewSources,
  merchantId: number,
  thisMonth: string,
): Promise<Pick<Overview, 'this_month' | 'last_month' | 'last_month_to_date'>> {
  const months = await monthlySales({ database }, merchantId);
  const lastMonth = previousMonth(thisMonth);
  const current = months.find(({ month }) => month === thisMonth) ?? null;
  return {
    this_month: current,
    last_month: months.find(({ month }) => month === lastMonth) ?? null,
    last_month_to_date:
      current && (await monthToDate({ offLoop, now }, merchantId, { months, month: lastMonth, thisMonth })),
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
