import { findCampaign } from '../../campaigns/queries.ts';
import { slotIn } from '../../campaigns/schedule-slots.ts';
import type { Database } from '../../database/database.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { errors } from '../../errors/errors.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { findProductId } from '../../products/record/queries.ts';
import { minorUnitOf } from '../../shared/amounts.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { type DiagnosisFigures, diagnosisOf } from './diagnosis-of.ts';
import { groupProduct, groupProducts, listDemand, listOutcomes } from './queries.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 24;

/** In wire order. */
export interface Diagnosis extends DiagnosisFigures {
  campaign_id: string;
  /** Null for the whole campaign. */
  product_identifier: string | null;
  /** The first hour begins then; the last one is the present. */
  from: string;
  to: string;
}

/** What the diagnosis reads. */
export interface DiagnosisServices {
  database: Database;
  offLoop: OffLoopReads;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The quality of a product, or the best of a campaign's products (0); undefined if it is not known. */
  qualityOf: (merchantId: number, campaignId: string, productId: number) => number | undefined;
}

interface DiagnosisRequest {
  merchantId: number;
  campaignId: string;
  /** For one product. */
  identifier: string | undefined;
}

/**
 * Says what became of the requests of the last 24 hours that a campaign, or a product in it, could have won
 * (contract for campaigns, “What merchants see”).
 * @throws {DomainError} `campaign_not_found`, `product_not_found`
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function diagnose(
  { database, offLoop, now, qualityOf }: DiagnosisServices,
  { merchantId, campaignId, identifier }: DiagnosisRequest,
): Promise<Diagnosis> {
  const [campaign, merchant, product] = await Promise.all([
    database.first(findCampaign, { merchantId, id: campaignId }),
    database.first(findMerchantById, { merchantId }),
    identifier === undefined ? undefined : database.first(findProductId, { merchantId, identifier }),
  ]);
  if (campaign === undefined) throw errors.campaign_not_found(campaignId);
  if (merchant === undefined) throw missingMerchant(merchantId);
  if (identifier !== undefined && product === undefined) throw errors.product_not_found(identifier);
  const { name, type } = campaign;
  const { currency, time_zone: timeZone } = merchant;
  const productId = product?.internal_id ?? 0;
  const to = now();
  const since = Math.floor(to / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, hour) => since + hour * HOUR_MS);
  // All merchants share it: a merchant's snapshot in a cluster does not have it.
  const demand = merchantId < 0 ? [] : await database.all(listDemand, { since, currency, type });
  const { outcomes, groups } = await offLoop.snapshot(merchantId, async (reader) => ({
    outcomes: await reader.all(listOutcomes, { merchantId, campaignId, productId, hours }),
    groups: await (productId === 0
      ? reader.all(groupProducts, { merchantId, name })
      : reader.all(groupProduct, { merchantId, name, productId })),
  }));
  const figures = diagnosisOf({
    merchantId,
    campaign,
    productId,
    groups,
    demand,
    outcomes,
    hours,
    slotOf: slotIn(timeZone),
    minorUnit: minorUnitOf(currency),
    // Without any request, there is nothing to compute with it.
    quality: demand.length === 0 ? undefined : qualityOf(merchantId, campaignId, productId),
  });
  return {
    campaign_id: campaignId,
    product_identifier: identifier ?? null,
    from: formatTime(since),
    to: formatTime(Math.floor(to)),
    ...figures,
  };
}
