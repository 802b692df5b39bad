import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import type { Problem } from '../../errors/domain-error.ts';
import type { Parsed } from '../../files/parsed.ts';
import {
  type ImportOptions,
  type ImportSummary,
  type ItemOutcome,
  runImport,
} from '../../files/run-import.ts';
import { findMerchantById, type MerchantRow } from '../../merchants/queries.ts';
import { findProductsByIdentifiers } from '../../products/record/queries.ts';
import { minorUnitOf } from '../../shared/amounts.ts';
import { MAX_CLOCK_DIFFERENCE_MS, type Placement } from '../record/placement.ts';
import { PlacementBatch } from '../record/placement-batch.ts';
import { revenueOf } from '../record/placement-ties.ts';
import { findTies, type TiedScheduleRow } from '../record/queries.ts';
import type { SpendContext } from '../record/record-spend.ts';
import type { FactDraft } from './fact-draft.ts';

/**
 * Imports placements that the operator has delivered by itself. They are facts: they may exceed a budget.
 * One replaces the fact with the same ID, including what it added to all figures. A schedule with its ID is
 * tied to it, as by `PlacementTies`.
 */
export async function importFacts(
  { lowBudget, ...services }: { database: Database; now: () => number; lowBudget: number },
  batches: AsyncIterable<Parsed<FactDraft>[]>,
  options: ImportOptions<MerchantRow>,
): Promise<ImportSummary> {
  return await runImport(
    services,
    batches,
    options,
    ({ placement_id }) => placement_id,
    async (context, { id: merchantId }, drafts) => {
      // The currency may have changed since the stream began.
      const merchant = await services.database.first(findMerchantById, { merchantId });
      if (merchant === undefined) throw missingMerchant(merchantId);
      const outcomes = await writeFacts({ ...context, lowBudget }, merchant, drafts);
      return () => outcomes;
    },
  );
}

/** Like `importFacts`, in a transaction that has locked the merchant. Resolves to an outcome for each. */
export async function writeFacts(
  context: SpendContext,
  { currency }: Pick<MerchantRow, 'currency'>,
  drafts: readonly FactDraft[],
): Promise<ItemOutcome[]> {
  const { connection, merchantId, now } = context;
  const identifiers = [...new Set(drafts.map(({ product_identifier }) => product_identifier))];
  const ids = [...new Set(drafts.map(({ placement_id }) => placement_id))];
  const [products, schedules] = await Promise.all([
    lookUp(connection, findProductsByIdentifiers, merchantId, identifiers),
    lookUp(connection, findTies, merchantId, ids),
  ]);
  const productIds = new Map(products.map((row) => [row.identifier, row.internal_id]));
  const batch = await PlacementBatch.open(context, {
    placementIds: ids,
    campaignIds: drafts.map(({ campaign_id }) => campaign_id),
  });
  const sold = new Map(schedules.map((schedule) => [schedule.schedule_id, schedule]));
  const seen = new Set<string>();
  const unit = minorUnitOf(currency);
  const outcomes = drafts.map((draft): ItemOutcome => {
    const productId = productIds.get(draft.product_identifier);
    const before = batch.placement(draft.placement_id);
    const schedule = scheduleOf(before, sold.get(draft.placement_id));
    const problem = problemOf(draft, {
      hasProduct: productId !== undefined,
      hasCampaign: batch.campaign(draft.campaign_id) !== undefined,
      isReserved: before !== undefined && before.reserved_at !== null,
      isOfSchedule: schedule === undefined || schedule.product_id === productId,
      decimals:
        draft.price % unit === 0
          ? undefined
          : unit === 10_000
            ? `expected a whole number of ${currency}`
            : `expected at most the ${Math.log10(10_000 / unit)} decimals of ${currency}`,
      isInFuture: draft.delivered_at > now + MAX_CLOCK_DIFFERENCE_MS,
    });
    if (problem !== undefined || productId === undefined)
      return { kind: 'rejected', problems: problem === undefined ? [] : [problem] };
    const repeated = seen.has(draft.placement_id);
    seen.add(draft.placement_id);
    const { placement_id, campaign_id, delivered_at, price } = draft;
    const stated = { campaign_id, product_id: productId, delivered_at, price };
    if (before !== undefined && isSame(before, stated)) return { kind: 'unchanged', repeated };
    batch.put({
      ...(before ?? NEW_FACT),
      ...stated,
      ...(schedule !== undefined && { schedule_id: schedule.schedule_id, revenue: schedule.revenue }),
      placement_id,
      day: batch.dayOf(delivered_at),
    });
    return { kind: before === undefined ? 'created' : 'updated', repeated };
  });
  await batch.write();
  return outcomes;
}

const NEW_FACT = {
  state: 'delivered',
  bid: null,
  reserved_at: null,
  expires_at: null,
  released_at: null,
  late: 0,
  schedule_id: null,
  revenue: null,
} as const satisfies Partial<Placement>;

type Tie = Pick<Placement, 'product_id' | 'schedule_id' | 'revenue'>;

/** The schedule that a placement is tied to, or the one with its ID if that names no other placement. */
function scheduleOf(before: Placement | undefined, own: TiedScheduleRow | undefined): Tie | undefined {
  if (before !== undefined && before.schedule_id !== null) return before;
  if (own === undefined || (own.placement_id ?? own.schedule_id) !== own.schedule_id) return undefined;
  return { ...own, revenue: revenueOf(own) };
}

interface Found {
  hasProduct: boolean;
  hasCampaign: boolean;
  isReserved: boolean;
  /** Whether its schedule, if any, is of the same product. */
  isOfSchedule: boolean;
  /** What was expected if the price has more decimals than the currency. */
  decimals: string | undefined;
  isInFuture: boolean;
}

function problemOf(draft: FactDraft, found: Found): Problem | undefined {
  if (!found.hasCampaign)
    return {
      field: 'campaign_id',
      value: draft.campaign_id,
      reason: 'the merchant has no campaign with this ID',
    };
  if (!found.hasProduct) {
    const reason = 'no product has this identifier; import the products first';
    return { field: 'product_identifier', value: draft.product_identifier, reason };
  }
  if (found.isReserved) {
    const reason = 'this placement was reserved: report its outcome with POST placements/outcomes';
    return { field: 'placement_id', value: draft.placement_id, reason };
  }
  if (!found.isOfSchedule)
    return { field: 'product_identifier', reason: 'expected the product of the schedule of the placement' };
  if (found.isInFuture) return { field: 'delivered_at', reason: 'expected a time that is not in the future' };
  if (found.decimals === undefined) return undefined;
  return { field: 'price', value: draft.price / 10_000, reason: found.decimals };
}

function isSame(
  before: Placement,
  stated: Pick<Placement, 'campaign_id' | 'product_id' | 'delivered_at' | 'price'>,
): boolean {
  return (
    before.campaign_id === stated.campaign_id &&
    before.product_id === stated.product_id &&
    before.delivered_at === stated.delivered_at &&
    before.price === stated.price
  );
}
