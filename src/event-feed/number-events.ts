import type { Connection, Database } from '../database/database.ts';
import {
  deleteFromOutbox,
  insertNumberedEvent,
  listOutbox,
  setLastNumber,
  type WaitingEvent,
} from './queries.ts';

/** The maximum number of events that one transaction numbers. */
const BATCH = 500;
/** The number of names in the list of `deleteFromOutbox`. */
const NAMES_PER_STATEMENT = 200;
/** Before every merchant and test side. */
const START = Number.MIN_SAFE_INTEGER;

/**
 * Moves events from the outbox to the feed, a batch at a time. Merchants take turns: a batch begins after the last merchant
 * of the one before, so that a merchant with many events delays others by one batch at most.
 */
export class EventMover {
  readonly #database: Database;
  readonly #hold: (connection: Connection) => Promise<number>;
  #afterMerchant = START;

  /** `hold` makes sure that no other process numbers events until the transaction ends, and returns the last number. */
  constructor(database: Database, hold: (connection: Connection) => Promise<number>) {
    this.#database = database;
    this.#hold = hold;
  }

  /** Whether no event waits that can be moved. While a cluster isolates a merchant, events stay in the outbox. */
  async isEmpty(): Promise<boolean> {
    const first = await this.#database.first(listOutbox, { afterMerchant: START, limit: 1 });
    if (first === undefined) return true;
    const found = await this.#database.first(this.#database.dialect.countShardSplits);
    return found !== undefined && found.splits > 0;
  }

  /**
   * Numbers a batch in one transaction: an event leaves the outbox exactly if it gets its number. Resolves to the number of
   * events, and to whether more may wait.
   * @throws as `hold`
   */
  async moveBatch(): Promise<{ moved: number; more: boolean }> {
    const isWhole = this.#afterMerchant === START;
    const events = await this.#database.transaction(async (connection) => {
      const lastNumber = await this.#hold(connection);
      const waiting = await this.#nextBatch(connection);
      if (waiting.length === 0) return waiting;
      const rows = waiting.map(({ written_at: _, ...event }, index) => ({
        ...event,
        number: lastNumber + index + 1,
      }));
      await connection.runEach(insertNumberedEvent, rows);
      await Promise.all([
        connection.run(setLastNumber, { lastNumber: lastNumber + rows.length }),
        deleteAll(connection, waiting),
      ]);
      return waiting;
    });
    const isFull = events.length === BATCH;
    this.#afterMerchant = isFull ? (events.at(-1)?.merchant_id ?? START) : START;
    return { moved: events.length, more: isFull || !isWhole };
  }

  async #nextBatch(connection: Connection): Promise<WaitingEvent[]> {
    const after = await connection.all(listOutbox, { afterMerchant: this.#afterMerchant, limit: BATCH });
    if (after.length > 0 || this.#afterMerchant === START) return after;
    return await connection.all(listOutbox, { afterMerchant: START, limit: BATCH });
  }
}

/** Deletes events of the outbox. @throws {Error} if one of them is not there */
async function deleteAll(connection: Connection, events: readonly WaitingEvent[]): Promise<void> {
  const deletions: Promise<number>[] = [];
  for (const [merchantId, ofMerchant] of Map.groupBy(events, ({ merchant_id }) => merchant_id)) {
    for (let start = 0; start < ofMerchant.length; start += NAMES_PER_STATEMENT) {
      const part = ofMerchant.slice(start, start + NAMES_PER_STATEMENT);
      const names = part.map(({ id }) => id);
      // In the order in which they were written.
      const [from, upTo] = [part[0]?.written_at ?? 0, part.at(-1)?.written_at ?? 0];
      deletions.push(connection.run(deleteFromOutbox, { merchantId, names, from, upTo }));
    }
  }
  const deleted = (await Promise.all(deletions)).reduce((sum, rows) => sum + rows, 0);
  if (deleted !== events.length) throw new Error(`${deleted} of ${events.length} events were in the outbox`);
}
