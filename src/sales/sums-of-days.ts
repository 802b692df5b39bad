import type { Reader } from '../database/database.ts';
import { periodOfDays } from './periods.ts';
import { type SalesMonthRow, sumSchedulesOfMonth } from './queries.ts';
import type { DayRange } from './report.ts';
import { isWhole, periodsOf } from './report-days.ts';
import { addSums, NO_SALES, type SalesSums } from './sums.ts';

interface Clock {
  timeZone: string;
  /** The present time, in milliseconds since 1970. */
  time: number;
}

/** Adds up a merchant's schedules on days in its time zone. The sums of whole months are known. */
export class SumsOfDays {
  readonly #reader: Reader;
  readonly #merchantId: number;
  readonly #clock: Clock;
  readonly #months: ReadonlyMap<string, SalesSums>;

  /** `months` are all with schedules. */
  constructor(reader: Reader, merchantId: number, clock: Clock, months: readonly SalesMonthRow[]) {
    this.#reader = reader;
    this.#merchantId = merchantId;
    this.#clock = clock;
    this.#months = new Map(months.map(({ month, ...sums }) => [month, sums]));
  }

  /** With `isCut`, the last day ends when clocks show the present time. */
  async sum(range: DayRange, isCut = false): Promise<SalesSums> {
    let total = NO_SALES;
    for (const part of periodsOf(range, 'month')) {
      const known = this.#months.get(part.from.slice(0, 7));
      if (known === undefined) continue;
      const cutsPart = isCut && part.to === range.to;
      const isKnown = isWhole(part, 'month') && !cutsPart;
      total = addSums(total, isKnown ? known : await this.#read(part, cutsPart));
    }
    return total;
  }

  async #read({ from, to }: DayRange, isCut: boolean): Promise<SalesSums> {
    const month = from.slice(0, 7);
    const period = periodOfDays(this.#clock.timeZone, { from, to });
    const until = isCut ? Math.min(period.until, sameTimeOn(to, this.#clock) + 1) : period.until;
    const of = { merchantId: this.#merchantId, month, from: period.from, until };
    return (await this.#reader.first(sumSchedulesOfMonth, of)) ?? NO_SALES;
  }
}

/** Returns when clocks show the present time on another day. */
function sameTimeOn(day: string, { timeZone, time }: Clock): number {
  const plainTime = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainTime();
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}
