import { isScheduled, slotIn } from '../../campaigns/schedule-slots.ts';
import type { RequestHistory } from './request-history.ts';

/** Slots and hours of every time zone begin with one of them. */
const PART_MS = 15 * 60 * 1000;

/** Which day it is of, and of whom. */
interface ProfiledDay {
  /** `YYYY-MM-DD` in the time zone. */
  day: string;
  timeZone: string;
  /** The campaign's, as it is stored. */
  hourlySchedule: string | null;
}

/** How the requests of a day, of 23 to 25 hours, are expected to be spread over it. */
export class DayProfile {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The requests expected before the end of each part of the day. */
  readonly #until: Float64Array;

  constructor(history: RequestHistory, { day, timeZone, hourlySchedule }: ProfiledDay) {
    const date = Temporal.PlainDate.from(day);
    this.start = startOf(date, timeZone);
    this.end = startOf(date.add({ days: 1 }), timeZone);
    const { start } = this;
    const parts = Array.from(
      { length: Math.ceil((this.end - start) / PART_MS) },
      (_, part) => start + part * PART_MS,
    );
    // Without a schedule, slots need not be looked up, which takes longer than all else here.
    const slotOf = hourlySchedule === null ? () => 0 : slotIn(timeZone);
    let sum = 0;
    const expected = history.expected(parts, start).map((requests, part) => {
      if (isScheduled(hourlySchedule, slotOf(parts[part] ?? start))) sum += requests;
      return sum;
    });
    this.#until = Float64Array.from(expected);
  }

  /**
   * Returns the part of the day's requests, in the hours of the schedule, that is expected before a time:
   * from 0 at the start of the day to 1 at its end, and at any time if the schedule has no hours.
   */
  shareAt(time: number): number {
    const total = this.#until.at(-1) ?? 0;
    if (time >= this.end || total === 0) return 1;
    if (time <= this.start) return 0;
    const passed = (time - this.start) / PART_MS;
    const part = Math.floor(passed);
    const before = this.#until[part - 1] ?? 0;
    const within = (this.#until[part] ?? total) - before;
    return (before + within * (passed - part)) / total;
  }
}

function startOf(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime({ timeZone }).epochMilliseconds;
}
