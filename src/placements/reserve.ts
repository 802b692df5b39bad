import type { WriteContext } from '../database/write-context.ts';
import type { LedgerNeeds } from './record/campaign-status.ts';
import { LedgerBatch } from './record/ledger-batch.ts';
import type { LimitName } from './record/limits.ts';
import type { Placement } from './record/placement.ts';
import { newPlacementId } from './record/placement-id.ts';

/** A place that a product has won. Amounts are in units (`amounts.ts`). */
export interface Won {
  campaign_id: string;
  product_id: number;
  bid: number;
  price: number;
  /** The most placements of the product on one day; null for any number. */
  max_daily_schedules: number | null;
}

/** Why a place cannot be given. `paused`: the campaign's `hourly_schedule` has 0 now. */
export type Refusal = LimitName | 'max_daily_schedules' | 'not_active' | 'paused';

/**
 * Reserves places of one merchant, in order, each on top of those before it, as long as every budget covers
 * them: the database judges, whatever was known when they were won. Resolves to a placement or a reason for
 * each.
 */
export async function reserve(
  context: WriteContext & LedgerNeeds,
  { won, expiresAt }: { won: readonly Won[]; expiresAt: number },
): Promise<(Placement | Refusal)[]> {
  const limited = won.filter(({ max_daily_schedules: max }) => max !== null);
  const batch = await LedgerBatch.open(context, {
    campaignIds: won.map(({ campaign_id }) => campaign_id),
    productIds: limited.map(({ product_id }) => product_id),
  });
  const { today } = batch;
  await batch.readFigures(won.map((each) => ({ ...each, day: today })));
  const results = won.map(({ max_daily_schedules: max, ...each }): Placement | Refusal => {
    const campaign = batch.campaign(each.campaign_id);
    if (campaign?.status !== 'Active') return 'not_active';
    if (!batch.isScheduled(campaign)) return 'paused';
    if (max !== null) {
      const { reserved, delivered } = batch.figures({ ...each, campaign_id: '', day: today });
      if (reserved + delivered >= max) return 'max_daily_schedules';
    }
    const placement: Placement = {
      ...each,
      placement_id: newPlacementId(context.merchantId),
      day: today,
      state: 'reserved',
      reserved_at: context.now,
      expires_at: expiresAt,
      delivered_at: null,
      released_at: null,
      late: 0,
      schedule_id: null,
      revenue: null,
    };
    const exceeded = batch.exceeded(placement);
    if (exceeded !== undefined) return exceeded;
    batch.put(placement);
    return placement;
  });
  await batch.write();
  return results;
}
