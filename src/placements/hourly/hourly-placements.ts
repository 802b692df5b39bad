import type { Connection, Database } from '../../database/database.ts';
import { DelayedWrites } from '../../shared/delayed-writes.ts';
import type { Decision } from '../decide/decide.ts';
import { roundToStep } from '../diagnosis/rounding.ts';
import { HOUR_MS } from '../pacing/request-history.ts';
import { addToHourlyPlacements, deleteHourlyPlacements, type HourlyRow } from './queries.ts';

/** How many hours can be read. */
export const SHOWN_HOURS = 7 * 24;
const KEPT_MS = (SHOWN_HOURS + 24) * HOUR_MS;
const WRITE_AFTER_MS = 5_000;
const WRITE_AGAIN_MS = 10_000;
/** Of each process, in an hour. Requests for further categories count as requests for any. */
const MAX_CATEGORIES = 100;

interface DecidedRequest {
  currency: string;
  /** None for any. */
  category: readonly string[];
}

/**
 * Counts the placements of all merchants by hour, category and price, so that nobody has to read them to add
 * them up. Counts are written seconds later: a crash may lose the last ones.
 */
export class HourlyPlacements {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #unwritten = new Map<string, HourlyRow>();
  /** The hour of the categories. */
  #hour = 0;
  readonly #categories = new Set<string>();
  readonly #writes = new DelayedWrites(async () => [() => this.#write()]);

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Counts the placements of a decision that is final, at a time in milliseconds since 1970. */
  count({ currency, category }: DecidedRequest, { awards }: Pick<Decision, 'awards'>, now: number): void {
    if (awards.length === 0) return;
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    const counted = { hour, currency, category: this.#categoryOf(category[0] ?? '', hour) };
    for (const { price } of awards)
      this.#add({ ...counted, price: roundToStep(price), placements: 1, amount: price });
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  flush(): Promise<void> {
    return this.#writes.flush();
  }

  #categoryOf(category: string, hour: number): string {
    if (this.#hour !== hour) {
      this.#hour = hour;
      this.#categories.clear();
    }
    if (this.#categories.size < MAX_CATEGORIES) this.#categories.add(category);
    return this.#categories.has(category) ? category : '';
  }

  #add(row: HourlyRow): void {
    const name = [row.hour, row.currency, row.category, row.price].join('\n');
    const found = this.#unwritten.get(name);
    if (found === undefined) this.#unwritten.set(name, row);
    else {
      found.placements += row.placements;
      found.amount += row.amount;
    }
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    this.#unwritten = new Map();
    if (unwritten.size === 0) return;
    // Every process writes in this order, which prevents deadlocks.
    const rows = [...unwritten].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    try {
      await this.#database.transaction((connection) => connection.runEach(addToHourlyPlacements, rows));
    } catch (error) {
      this.#onError(error);
      for (const row of rows) this.#add(row);
      this.#writes.planIn(WRITE_AGAIN_MS);
    }
  }
}

export async function deleteOldHourlyPlacements(database: Database, now: number): Promise<void> {
  const work = (connection: Connection): Promise<number> =>
    connection.run(deleteHourlyPlacements, { before: now - KEPT_MS });
  await database.transaction(work);
}
