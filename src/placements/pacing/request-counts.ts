import type { Connection, Database } from '../../database/database.ts';
import { DelayedWrites } from '../../shared/delayed-writes.ts';
import { addToRequestHours, deleteRequestHours, listRequestHours } from './queries.ts';
import { HISTORY_DAYS, HOUR_MS, RequestHistory } from './request-history.ts';

const WRITE_AFTER_MS = 2_000;
const WRITE_AGAIN_MS = 10_000;
/** A day more than is used, because a day may have 25 hours. */
const KEPT_MS = (HISTORY_DAYS + 2) * 24 * HOUR_MS;

/** Counts requests for placements by hour. They are written seconds later: a crash may lose the last ones. */
export class RequestCounts {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** By currency and hour. */
  #unwritten = new Map<string, Map<number, number>>();
  readonly #writes = new DelayedWrites(async () => [() => this.#write()]);

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Counts requests at a time, in milliseconds since 1970. */
  count(currency: string, now: number, requests = 1): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    const hours = this.#unwritten.get(currency) ?? new Map<number, number>();
    this.#unwritten.set(currency, hours.set(hour, (hours.get(hour) ?? 0) + requests));
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  flush(): Promise<void> {
    return this.#writes.flush();
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    this.#unwritten = new Map();
    // Every process writes in this order, which prevents deadlocks.
    const rows = [...unwritten]
      .flatMap(([currency, hours]) => [...hours].map(([hour, requests]) => ({ currency, hour, requests })))
      .sort((one, other) => one.hour - other.hour || (one.currency < other.currency ? -1 : 1));
    if (rows.length === 0) return;
    try {
      await this.#database.transaction((connection) => connection.runEach(addToRequestHours, rows));
    } catch (error) {
      this.#onError(error);
      for (const { currency, hour, requests } of rows) this.count(currency, hour, requests);
      this.#writes.planIn(WRITE_AGAIN_MS);
    }
  }
}

/** Reads the requests of all processes, by currency. */
export async function readHistories(database: Database, now: number): Promise<Map<string, RequestHistory>> {
  const rows = await database.all(listRequestHours, { since: now - KEPT_MS });
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return new Map(
    [...byCurrency].map(([currency, hours]) => [
      currency,
      new RequestHistory(hours.map(({ hour, requests }) => [hour, requests])),
    ]),
  );
}

export async function deleteOldRequestHours(database: Database, now: number): Promise<void> {
  const work = (connection: Connection): Promise<number> =>
    connection.run(deleteRequestHours, { before: now - KEPT_MS });
  await database.transaction(work);
}
