/** The three-hour slots of a day, from midnight in the merchant's time zone. */
export const scheduleSlots = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;
type ScheduleSlot = (typeof scheduleSlots)[number];

/** For each slot, 1 if the campaign competes in it, otherwise 0. */
export type HourlySchedule = Record<ScheduleSlot, number>;

/** The slots that a call sends. */
export type SentSchedule = { readonly [Slot in ScheduleSlot]?: number | undefined };

/**
 * Returns the schedule as it is stored, a digit for each slot, after a change of the sent slots. Other slots
 * stay as they are. A campaign without a schedule (null) competes in each.
 */
export function changeSchedule(stored: string | null, sent: SentSchedule): string {
  return scheduleSlots.map((slot, index) => sent[slot] ?? stored?.[index] ?? 1).join('');
}

export function readSchedule(stored: string | null): HourlySchedule | null {
  if (stored === null) return null;
  const slots = scheduleSlots.map((slot, index) => [slot, Number(stored[index])]);
  return Object.fromEntries(slots) as HourlySchedule;
}
