import type { Campaign, CampaignLimit, CampaignStatus } from '../../src/campaigns/campaign.ts';

/** A campaign, or a message that matches. */
export type Expected = { campaign: Campaign } | { error: RegExp };

const NEXT = { pause: 'Paused', resume: 'Active', end: 'Expired' } as const;

/** What limits a campaign without products and placements. */
function limitOf({ status, lifetime_budget, bid_amount }: Campaign): CampaignLimit {
  if (status === 'Expired') return 'ended';
  if (status === 'Paused') return 'paused';
  const isSpent = lifetime_budget !== null && (bid_amount ?? 0) > lifetime_budget;
  return isSpent || lifetime_budget === 0 ? 'lifetime_budget' : 'no_products';
}

/** A merchant's campaigns as the contract defines them, without any code of the service. */
export class CampaignModel {
  readonly #campaigns = new Map<string, Campaign>();

  get ids(): string[] {
    return [...this.#campaigns.keys()];
  }

  add(campaign: Campaign): void {
    this.#campaigns.set(campaign.internal_id, campaign);
  }

  list(status?: CampaignStatus): Campaign[] {
    return [...this.#campaigns.values()]
      .filter((campaign) => status === undefined || campaign.status === status)
      .sort((one, other) => (one.internal_id < other.internal_id ? 1 : -1));
  }

  /** The fields that are sent; null clears one. */
  update(id: string, changes: Partial<Campaign>, now: string): Expected {
    return this.#change(id, now, (campaign) => ({ ...campaign, ...changes }));
  }

  act(id: string, action: keyof typeof NEXT, now: string): Expected {
    return this.#change(id, now, (campaign) => ({ ...campaign, status: NEXT[action] }));
  }

  #change(id: string, now: string, change: (before: Campaign) => Campaign): Expected {
    const before = this.#campaigns.get(id);
    if (before === undefined) return { error: /^There is no campaign with the unique ID / };
    const changed = change(before);
    const after = { ...changed, limited_by: limitOf(changed) };
    if (JSON.stringify(after) === JSON.stringify(before)) return { campaign: before };
    if (before.status === 'Expired') return { error: /^internal_id: the campaign .* is expired/ };
    const campaign = { ...after, updated_at: now };
    this.#campaigns.set(id, campaign);
    return { campaign };
  }
}
