import type { Campaign, CampaignState } from './campaign.ts';
import { campaignsAt } from './campaign-record.ts';
import { type ChangeSources, changesOf, type LateNumbered } from './late-numbered.ts';
import { findUnnumberedCampaign, listCampaignsChangedAfter, numberCampaigns } from './queries.ts';

/** Campaigns in the order of their last change. */
export interface CampaignChanges {
  results: Campaign[];
  /** The position for the next request. */
  cursor: string;
  /** Whether there are more changes already. */
  more: boolean;
}

const campaigns: LateNumbered<CampaignState & { revision: number }> = {
  listing: 'changed campaigns',
  listChangedAfter: listCampaignsChangedAfter,
  findUnnumbered: findUnnumberedCampaign,
  number: numberCampaigns,
  keyOf: ({ id }) => id,
};

/**
 * Lists campaigns in the order of their last change, as `changesOf`.
 * @throws {DomainError} as `changesOf`
 */
export async function campaignsChangedSince(
  sources: ChangeSources,
  request: { merchantId: number; perPage: number },
  changedSince: string,
): Promise<CampaignChanges> {
  const { rows, ...rest } = await changesOf(sources, request, changedSince, campaigns);
  return { results: rows.map(campaignsAt(sources.now())), ...rest };
}
