import { slotIn, statusInSlot } from '../../campaigns/schedule-slots.ts';
import type { CompetingCampaign } from './competing.ts';
import type { Competition } from './competition.ts';

export interface ScheduledCampaign extends CompetingCampaign {
  /** As it is stored; null for a campaign that competes at any time. */
  hourlySchedule: string | null;
}

interface Zone {
  slotOf: (time: number) => number;
  slot: number;
  /** Campaigns with a schedule, by ID. */
  campaigns: Map<string, ScheduledCampaign>;
}

/**
 * Sets campaigns in the competition with the status that their `hourly_schedule` gives them: paused in a slot
 * with 0. Keeps only campaigns that have a schedule. Reservations check the schedule again by themselves.
 */
export class ScheduledCampaigns {
  readonly #competition: Competition;
  /** By time zone. */
  readonly #zones = new Map<string, Zone>();
  /** The time zones of campaigns with a schedule, by ID. */
  readonly #zoneOf = new Map<string, string>();

  constructor(competition: Competition) {
    this.#competition = competition;
  }

  /** Adds or changes a campaign of a merchant in a time zone, at a time in milliseconds since 1970. */
  set(campaign: ScheduledCampaign, timeZone: string, now: number): void {
    const { campaignId, hourlySchedule } = campaign;
    this.#forget(campaignId);
    if (hourlySchedule === null || campaign.status === 'Expired') {
      this.#competition.setCampaign(campaign);
      return;
    }
    const zone = this.#zone(timeZone, now);
    zone.campaigns.set(campaignId, campaign);
    this.#zoneOf.set(campaignId, timeZone);
    this.#apply(campaign, zone.slotOf(now));
  }

  remove(merchantId: number, campaignId: string): void {
    this.#forget(campaignId);
    this.#competition.removeCampaign(merchantId, campaignId);
  }

  /** Removes a merchant with its campaigns and products, like `Competition.removal`. */
  *removal(merchantId: number): Generator<void> {
    for (const { campaigns } of this.#zones.values())
      for (const { campaignId, merchantId: owner } of campaigns.values())
        if (owner === merchantId) this.#forget(campaignId);
    yield* this.#competition.removal(merchantId);
  }

  /** Follows the clock, wherever it goes. Costs nothing but a look at each time zone until a slot changes. */
  applySlots(now: number): void {
    for (const zone of this.#zones.values()) {
      const slot = zone.slotOf(now);
      if (slot === zone.slot) continue;
      zone.slot = slot;
      for (const campaign of zone.campaigns.values()) this.#apply(campaign, slot);
    }
  }

  #apply(campaign: ScheduledCampaign, slot: number): void {
    const status = statusInSlot(campaign.status, campaign.hourlySchedule, slot);
    this.#competition.setCampaign({ ...campaign, status });
  }

  #zone(timeZone: string, now: number): Zone {
    const found = this.#zones.get(timeZone);
    if (found !== undefined) return found;
    const slotOf = slotIn(timeZone);
    const zone = { slotOf, slot: slotOf(now), campaigns: new Map() };
    this.#zones.set(timeZone, zone);
    return zone;
  }

  #forget(campaignId: string): void {
    const timeZone = this.#zoneOf.get(campaignId);
    if (timeZone === undefined) return;
    this.#zoneOf.delete(campaignId);
    const zone = this.#zones.get(timeZone);
    zone?.campaigns.delete(campaignId);
    if (zone?.campaigns.size === 0) this.#zones.delete(timeZone);
  }
}
