import type { Random } from '../../src/demo/random.ts';
import { DayProfile } from '../../src/placements/pacing/day-profile.ts';
import { paceLimit } from '../../src/placements/pacing/pace-limit.ts';
import { RequestHistory } from '../../src/placements/pacing/request-history.ts';

export const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Requests in each hour of a day, beginning with midnight UTC: quiet nights, a busy evening. */
export const CURVE = [
  60, 30, 20, 20, 20, 30, 60, 120, 180, 200, 220, 240, 260, 240, 220, 220, 240, 300, 380, 460, 480, 400, 260,
  120,
] as const;

/**
 * Times of requests, in order, on a day that begins at `start`, with up to 30 % more or less in each hour.
 */
export function trafficOf(random: Random, start: number, hours: number, scale = 1): number[] {
  return Array.from({ length: hours }, (_, hour) => {
    const begin = start + hour * HOUR_MS;
    const usual = (CURVE[new Date(begin).getUTCHours()] ?? 0) * scale;
    const count = Math.max(1, Math.round(usual * (0.7 + 0.6 * random.next())));
    return Array.from({ length: count }, () => begin + random.next() * HOUR_MS).sort((a, b) => a - b);
  }).flat();
}

/** The requests of a number of days before `start`, counted by hour. */
export function historyOf(random: Random, start: number, days: number): RequestHistory {
  const hours = new Map<number, number>();
  for (const time of trafficOf(random, start - days * DAY_MS, days * 24)) {
    const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
  }
  return new RequestHistory(hours);
}

interface SimulatedDay {
  history: RequestHistory;
  day: string;
  timeZone: string;
  hourlySchedule?: string | null;
  dailyBudget: number;
  bid: number;
  /** What a place costs at a time. */
  priceAt: (time: number) => number;
  pacing: 'even' | 'fast';
}

export interface SimulatedSpending {
  spent: number;
  /** By hour from the start of the day. */
  byHour: number[];
  /** Requests that the campaign could pay, and sat out. */
  satOut: number;
}

/** One campaign that wins every request that it does not sit out, as long as its budget covers the price. */
export function spend(times: readonly number[], settings: SimulatedDay): SimulatedSpending {
  const { history, day, timeZone, hourlySchedule = null, dailyBudget, bid, priceAt, pacing } = settings;
  const profile = new DayProfile(history, { day, timeZone, hourlySchedule });
  const result: SimulatedSpending = { spent: 0, byHour: [], satOut: 0 };
  for (const [number, time] of times.entries()) {
    const price = priceAt(time);
    if (result.spent + price > dailyBudget) continue;
    const pace = {
      campaignId: 'campaign',
      dailyBudget,
      share: profile.shareAt(time),
      bid,
    };
    if (pacing === 'even' && result.spent > paceLimit(pace, `request ${number} of ${day}`)) {
      result.satOut += 1;
      continue;
    }
    const hour = Math.floor((time - profile.start) / HOUR_MS);
    result.spent += price;
    result.byHour[hour] = (result.byHour[hour] ?? 0) + price;
  }
  return result;
}
