export const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** “Shares come from the requests of the last 14 days by hour.” */
export const HISTORY_DAYS = 14;
/** The part of the usual requests that is expected in an hour that never had any. */
const LEAST = 0.05;

/** How many requests there were in each hour, in one currency. */
export class RequestHistory {
  /** By the time at which the hour begins. */
  readonly #hours = new Map<number, number>();
  #first = Number.POSITIVE_INFINITY;

  constructor(hours: Iterable<readonly [hour: number, requests: number]> = []) {
    for (const [hour, requests] of hours) {
      this.#hours.set(hour, requests);
      this.#first = Math.min(this.#first, hour);
    }
  }

  /**
   * Returns how many requests are expected in the hour of each time, from the same hour of the 14 days before
   * `before`. Hours of which nothing is known get the average of the others; without any history, all are 1.
   */
  expected(times: readonly number[], before: number): number[] {
    const averages = times.map((time) => this.#average(time, before));
    const found = averages.filter((average) => average !== undefined);
    const mean = found.reduce((sum, average) => sum + average, 0) / Math.max(1, found.length);
    if (mean === 0) return times.map(() => 1);
    return averages.map((average) => (average ?? mean) + LEAST * mean);
  }

  #average(time: number, before: number): number | undefined {
    const hour = time - (time % HOUR_MS);
    let days = 0;
    let requests = 0;
    for (let day = 1; day <= HISTORY_DAYS; day++) {
      const earlier = hour - day * DAY_MS;
      if (earlier < this.#first) break;
      if (earlier + HOUR_MS > before) continue;
      days += 1;
      requests += this.#hours.get(earlier) ?? 0;
    }
    return days === 0 ? undefined : requests / days;
  }
}
