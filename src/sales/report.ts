import type { DaysSales } from './sums.ts';

export const units = ['day', 'week', 'month'] as const;
/** Weeks begin on Monday. */
export type Unit = (typeof units)[number];

export const comparisons = ['previous_days', 'previous_months', 'last_year'] as const;
/** As many days before; or the same days of as many months before, as of this month so far; or a year ago. */
export type Comparison = (typeof comparisons)[number];

/** The most months that a range can have. */
export const MAX_MONTHS = 120;

/** The first and the last day, as `YYYY-MM-DD`. */
export interface DayRange {
  from: string;
  to: string;
}

export interface SalesOfDays extends DayRange {
  sales: DaysSales;
}

export interface ReportPeriod extends SalesOfDays {
  /** False if the range cuts off a part of the day, week or month, or its end is later than today. */
  is_whole: boolean;
  /** Whether its last day is today. */
  is_running: boolean;
  /** Null without a comparison, or without such days. */
  compared: SalesOfDays | null;
}

/** The sales of a range of days, and of each day, week or month in it. */
export interface SalesReport extends SalesOfDays {
  unit: Unit;
  /** Null without a comparison, or if the merchant's first schedules are later. */
  compared: SalesOfDays | null;
  /** Oldest first, also without schedules. */
  periods: ReportPeriod[];
  /** The merchant's first month with schedules, as `YYYY-MM`; null without any. */
  first_month: string | null;
}
