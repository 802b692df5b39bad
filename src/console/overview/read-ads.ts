import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { findAnyPlacement, type MerchantRow } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import {
  type CampaignPerformance,
  campaignPerformance,
} from '../../placements/performance/campaign-performance.ts';
import type { Overview } from '../catalog-api.ts';
import { previousMonth } from './month-to-date.ts';

/** Reads what all campaigns cost and sold this month, and on the same days of last month. */
export async function readAds(
  { database, offLoop, now }: { database: Database; offLoop: OffLoopReads; now: () => number },
  { id: merchantId, time_zone: timeZone }: Pick<MerchantRow, 'id' | 'time_zone'>,
): Promise<Overview['ads']> {
  // Most merchants have none.
  if ((await database.first(findAnyPlacement, { merchantId })) === undefined) return null;
  const today = dayIn(timeZone)(now());
  const [month, day] = [today.slice(0, 7), today.slice(8)];
  const lastMonth = previousMonth(month);
  const total = async (from: string, to: string): Promise<CampaignPerformance | undefined> => {
    const of = { merchantId, campaignId: undefined, by: 'total', from, to } as const;
    const part = { sort: 'spend_descending', page: 1, perPage: 1 } as const;
    return (await campaignPerformance({ offLoop }, { ...of, ...part })).results[0];
  };
  const [thisMonth, lastMonthToDate, all] = await Promise.all([
    total(`${month}-01`, today),
    // Last month may be shorter. No day follows its last one.
    total(`${lastMonth}-01`, `${lastMonth}-${day}`),
    total(`${lastMonth}-01`, `${lastMonth}-31`),
  ]);
  if (thisMonth === undefined || lastMonthToDate === undefined || all === undefined) return null;
  if (thisMonth.placements === 0 && all.placements === 0) return null;
  return { this_month: thisMonth, last_month_to_date: lastMonthToDate };
}
