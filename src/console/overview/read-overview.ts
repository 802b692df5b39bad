import { countKeys } from '../../api-keys/list-keys.ts';
import { listAudit } from '../../audit/list-audit.ts';
import type { CampaignCounter } from '../../campaigns/count-campaigns.ts';
import type { Database } from '../../database/database.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { monthIn } from '../../merchants/time-zone.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import type { Overview } from '../console-api.ts';
import { countProducts } from '../products/count-products.ts';
import { lowInventory } from './low-inventory.ts';

/** Where the overview's parts come from. */
export interface OverviewSources {
  database: Database;
  now: () => number;
  campaigns: CampaignCounter;
}

const RECENT = 10;

/** All that a merchant's first page shows. */
export async function readOverview(
  { database, now, campaigns }: OverviewSources,
  { id, time_zone: timeZone }: MerchantRow,
): Promise<Overview> {
  const [months, products, low, keys, campaignCount, recent] = await Promise.all([
    monthlySales({ database }, id),
    countProducts({ database }, id),
    lowInventory({ database }, id),
    countKeys({ database, now }, id),
    campaigns.count(id),
    listAudit(database, id, { limit: RECENT }),
  ]);
  const thisMonth = monthIn(timeZone)(now());
  const lastMonth = monthBefore(thisMonth);
  return {
    this_month: months.find(({ month }) => month === thisMonth) ?? null,
    last_month: months.find(({ month }) => month === lastMonth) ?? null,
    products,
    low_inventory: low,
    keys,
    campaigns: campaignCount,
    recent: recent.entries,
  };
}

function monthBefore(month: string): string {
  const [year, number] = month.split('-').map(Number);
  const first = new Date(0);
  first.setUTCFullYear(year ?? 0, (number ?? 1) - 2, 1);
  return first.toISOString().slice(0, 7);
}
