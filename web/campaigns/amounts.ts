import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { amountFields } from './amount-fields.ts';
import { scheduleWith, slotsOf } from './hourly-schedule.tsx';

/** The texts of a campaign's form, as typed; '' for an amount that is not set. */
type CampaignTexts = Record<'name' | 'type' | (typeof amountFields)[number]['name'], string>;

/** The values of a campaign's form. */
export interface CampaignValues extends CampaignTexts {
  /** The slots in which the campaign competes. */
  hourly_schedule: string[];
}

/** The values of a new campaign. */
export const emptyValues: CampaignValues = {
  name: '',
  type: 'AuctionCampaign',
  bid_amount: '',
  daily_budget: '',
  daily_budget_per_product: '',
  lifetime_budget: '',
  lifetime_budget_per_product: '',
  hourly_schedule: slotsOf(null),
};

/** Returns the values of a campaign as they are typed. */
export function valuesOf(campaign: Campaign): CampaignValues {
  const typed = (amount: number | null): string => (amount === null ? '' : String(amount));
  return {
    name: campaign.name,
    type: campaign.type,
    bid_amount: typed(campaign.bid_amount),
    daily_budget: typed(campaign.daily_budget),
    daily_budget_per_product: typed(campaign.daily_budget_per_product),
    lifetime_budget: typed(campaign.lifetime_budget),
    lifetime_budget_per_product: typed(campaign.lifetime_budget_per_product),
    hourly_schedule: slotsOf(campaign.hourly_schedule),
  };
}

/** Returns the fields that differ, for the server: null clears an amount or the schedule. */
export function changedValues(
  { hourly_schedule: slotsBefore, ...before }: CampaignValues,
  { hourly_schedule: slots, ...after }: CampaignValues,
): Record<string, unknown> {
  const names = Object.keys(before) as (keyof CampaignTexts)[];
  const changed = names
    .filter((name) => before[name] !== after[name])
    .map((name) => [name, after[name].trim() === '' && name !== 'name' ? null : after[name]]);
  const schedule = scheduleWith(slots);
  const isSame = JSON.stringify(schedule) === JSON.stringify(scheduleWith(slotsBefore));
  return { ...Object.fromEntries(changed), ...(!isSame && { hourly_schedule: schedule }) };
}

/** Returns the parameters of a new campaign. */
export function newCampaign({ hourly_schedule: slots, ...texts }: CampaignValues): Record<string, unknown> {
  return { ...texts, hourly_schedule: scheduleWith(slots) };
}
