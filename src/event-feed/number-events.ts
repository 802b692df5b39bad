import type { Connection, Database } from '../database/database.ts';
import {
  deleteFromOutbox,
  type EventRow,
  insertNumberedEvent,
  listOutbox,
  setLastNumber,
  type WaitingEvent,
} from './queries.ts';

const BATCH = 500;
const NAMES_PER_STATEMENT = 200;
/** Before every merchant and test side. */
const START = Number.MIN_SAFE_INTEGER;

/**
 * Moves events from the outbox to the feed. A batch begins after the last merchant of the one before, so that
 * a merchant with many events delays others by one batch at most.
 */
export class EventMover {
  readonly #database: Database;
  readonly #hold: (connection: Connection) => Promise<number>;
  readonly #deliver: (connection: Connection, events: readonly EventRow[]) => Promise<void>;
  #afterMerchant = START;

  /**
   * `hold` returns the last number, and keeps others from numbering events until the transaction ends.
   * `deliver` runs in that transaction.
   */
  constructor(
    database: Database,
    hold: (connection: Connection) => Promise<number>,
    deliver: (connection: Connection, events: readonly EventRow[]) => Promise<void> = async () => {},
  ) {
    this.#database = database;
    this.#hold = hold;
    this.#deliver = deliver;
  }

  /** Whether no event can be moved. While a cluster isolates a merchant, events stay in the outbox. */
  async isEmpty(): Promise<boolean> {
    const first = await this.#database.first(listOutbox, { afterMerchant: START, limit: 1 });
    if (first === undefined) return true;
    const found = await this.#database.first(this.#database.dialect.countShardSplits);
    return found !== undefined && found.splits > 0;
  }

  /**
   * Numbers a batch in one transaction. Resolves to the number of events, and to whether more may wait.
   * @throws as `hold`
   */
  async moveBatch(): Promise<{ moved: number; more: boolean }> {
    const isWhole = this.#afterMerchant === START;
    const events = await this.#database.transaction(
      async (connection) => {
        // Not awaited one by one, so that a thread or a database server gets them in one round trip.
        const [lastNumber, waiting] = await Promise.all([
          this.#hold(connection),
          this.#nextBatch(connection),
        ]);
        if (waiting.length === 0) return waiting;
        const rows = waiting.map(({ written_at: _, ...event }, index) => ({
          ...event,
          number: lastNumber + index + 1,
        }));
        connection.send(insertNumberedEvent, rows);
        connection.send(setLastNumber, [{ lastNumber: lastNumber + rows.length }]);
        await Promise.all([deleteAll(connection, waiting), this.#deliver(connection, rows)]);
        return waiting;
      },
      { everyNode: true },
    );
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

/** @throws {Error} if an event is not in the outbox */
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
