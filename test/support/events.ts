import assert from 'node:assert/strict';
import { type Connection, type Database, statement } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { insertEvent } from '../../src/events/queries.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

/** Counts the events that are not in the feed yet. */
export const countWaiting = statement<unknown, { waiting: number }>(
  'SELECT CAST(count(*) AS integer) AS waiting FROM outbox',
);

/** A response of `GET events`. */
export interface EventPage {
  results: ClientEvent[];
  next: string;
  more: boolean;
}

/** Waits until all events that were committed before are in the feed. */
export async function untilNumbered({ database }: { database: Database }): Promise<void> {
  await until(async () => (await database.first(countWaiting))?.waiting === 0);
}

/** A reader of the feed, as the marketplace's back end. */
export class FeedReader {
  readonly #service: TestService;
  readonly #token: string;
  cursor: string;

  private constructor(service: TestService, token: string, cursor: string) {
    this.#service = service;
    this.#token = token;
    this.cursor = cursor;
  }

  /** Begins after the events that were committed before, or at `after`. */
  static async open(service: TestService, after?: string): Promise<FeedReader> {
    const token = await service.newOperatorToken(['events']);
    await untilNumbered(service);
    const reader = new FeedReader(service, token, after ?? 'now');
    if (after === undefined) await reader.page();
    return reader;
  }

  /** Reads a page from any service. */
  async page({ limit = 100, from = this.#service } = {}): Promise<EventPage> {
    const response = await from.operator('GET', `/events?after=${this.cursor}&limit=${limit}`, this.#token);
    assert.equal(response.status, 200, response.text);
    const page = response.json<EventPage>();
    this.cursor = page.next;
    return page;
  }

  /** Reads all events that were committed before, after those already read. */
  async read(limit?: number): Promise<ClientEvent[]> {
    await untilNumbered(this.#service);
    const events: ClientEvent[] = [];
    for (;;) {
      const { results, more } = await this.page(limit === undefined ? {} : { limit });
      events.push(...results);
      if (!more) return events;
    }
  }

  /** Reads the events of a merchant like `read`. */
  async readOf({ id }: { id: number }): Promise<ClientEvent[]> {
    return (await this.read()).filter(({ merchant }) => merchant === String(id));
  }
}

/** A database whose transactions fail after they have recorded an event, while `isFailing` is set. */
export class FailingEvents {
  isFailing = false;

  wrap(database: Database): Database {
    return intercept(database, {
      transaction: (work, options) =>
        database.transaction(async (connection) => {
          let hasRecorded = false;
          const result = await work(
            watch(connection, () => {
              hasRecorded = true;
            }),
          );
          if (hasRecorded && this.isFailing) throw new Error('failed after an event was recorded');
          return result;
        }, options),
    });
  }
}

function watch(connection: Connection, onEvent: () => void): Connection {
  return {
    all: (statement, ...parameters) => connection.all(statement, ...parameters),
    first: (statement, ...parameters) => connection.first(statement, ...parameters),
    run: (statement, ...parameters) => {
      if (statement.sql === insertEvent.sql) onEvent();
      return connection.run(statement, ...parameters);
    },
    runEach: (statement, sets) => {
      if (statement.sql === insertEvent.sql && sets.length > 0) onEvent();
      return connection.runEach(statement, sets);
    },
  };
}
