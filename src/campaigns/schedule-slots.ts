import { hourIn } from '../merchants/time-zone.ts';
import type { CampaignStatus } from './campaign.ts';
import { scheduleSlots } from './hourly-schedule.ts';

const HOURS_OF_SLOT = 24 / scheduleSlots.length;

/** Maps times, in milliseconds since 1970, to the index of the slot that a clock in a time zone shows. */
export function slotIn(timeZone: string): (time: number) => number {
  const hourOf = hourIn(timeZone);
  return (time) => Math.floor(hourOf(time) / HOURS_OF_SLOT);
}

/** Whether a campaign competes in a slot. `stored` is as `changeSchedule` returns it. */
export function isScheduled(stored: string | null, slot: number): boolean {
  return stored?.[slot] !== '0';
}

/**
 * Returns the status with which a campaign competes in a slot: outside its schedule, an active campaign is
 * paused, so an active one with the same name competes instead.
 */
export function statusInSlot(status: CampaignStatus, stored: string | null, slot: number): CampaignStatus {
  return status === 'Active' && !isScheduled(stored, slot) ? 'Paused' : status;
}
