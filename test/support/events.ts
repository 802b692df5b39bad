import assert from 'node:assert/strict';
import type { Connection, Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import { type ClientEvent, type EventType, MAX_EVENT_BYTES } from '../../src/events/event-types.ts';
import { insertEvent } from '../../src/events/queries.ts';
import { type OpenApiDocument, pointer } from './openapi.ts';
import { SchemaCheck } from './schema-check.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

export const countWaiting = statement<unknown, { waiting: number }>(
  'SELECT CAST(count(*) AS integer) AS waiting FROM outbox',
);

/** A pointer to the schema of a type's events. */
export function eventSchema(type: EventType): string {
  return pointer('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema');
}

export interface EventPage {
  results: ClientEvent[];
  next: string;
  more: boolean;
}

/** Waits until all events committed before are in the feed. */
export async function untilNumbered({ database }: { database: Database }): Promise<void> {
  await until(async () => (await database.first(countWaiting))?.waiting === 0);
}

interface FeedAccess {
  token: string;
  schemas: SchemaCheck;
}

/** What reads the feed of a service, because preparing it takes longer than reading events. */
const accessOf = new WeakMap<TestService, Promise<FeedAccess>>();

async function prepareAccess(service: TestService): Promise<FeedAccess> {
  const token = await service.newOperatorToken(['events']);
  const document = await service.client.request('GET', '/operator/openapi.json');
  return { token, schemas: new SchemaCheck(document.json<OpenApiDocument>()) };
}

/** Reads the feed like the marketplace's back end. Checks each event against the OpenAPI document. */
export class FeedReader {
  readonly #service: TestService;
  readonly #token: string;
  readonly #schemas: SchemaCheck;
  cursor: string;

  private constructor(service: TestService, token: string, schemas: SchemaCheck, cursor: string) {
    this.#service = service;
    this.#token = token;
    this.#schemas = schemas;
    this.cursor = cursor;
  }

  /** Begins after the events committed before, or at `after`. */
  static async open(service: TestService, after?: string): Promise<FeedReader> {
    const access = accessOf.get(service) ?? prepareAccess(service);
    accessOf.set(service, access);
    const { token, schemas } = await access;
    await untilNumbered(service);
    const reader = new FeedReader(service, token, schemas, after ?? 'now');
    if (after === undefined) await reader.page();
    return reader;
  }

  async page({ limit = 100, from = this.#service } = {}): Promise<EventPage> {
    const response = await from.operator('GET', `/events?after=${this.cursor}&limit=${limit}`, this.#token);
    assert.equal(response.status, 200, response.text);
    const page = response.json<EventPage>();
    for (const event of page.results) {
      this.#schemas.assertValid(eventSchema(event.type), event);
      assert.ok(Buffer.byteLength(JSON.stringify(event)) <= MAX_EVENT_BYTES);
    }
    this.cursor = page.next;
    return page;
  }

  /** Reads all events committed before, after those already read. */
  async read(limit?: number): Promise<ClientEvent[]> {
    await untilNumbered(this.#service);
    const events: ClientEvent[] = [];
    for (;;) {
      const { results, more } = await this.page(limit === undefined ? {} : { limit });
      events.push(...results);
      if (!more) return events;
    }
  }

  async readOf({ id }: { id: number }): Promise<ClientEvent[]> {
    return (await this.read()).filter(({ merchant }) => merchant === String(id));
  }
}

/** While `isFailing` is set, transactions fail after they have recorded an event. */
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
    allEach: (statement, sets) => connection.allEach(statement, sets),
    first: (statement, ...parameters) => connection.first(statement, ...parameters),
    run: (statement, ...parameters) => {
      if (statement.sql === insertEvent.sql) onEvent();
      return connection.run(statement, ...parameters);
    },
    runEach: (statement, sets) => {
      if (statement.sql === insertEvent.sql && sets.length > 0) onEvent();
      return connection.runEach(statement, sets);
    },
    send: (statement, sets) => {
      if (statement.sql === insertEvent.sql && sets.length > 0) onEvent();
      connection.send(statement, sets);
    },
  };
}
