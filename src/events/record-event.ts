import { randomUUID } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import { type EventData, type EventType, MAX_EVENT_BYTES } from './event-types.ts';
import { insertEvent, type OutboxRow } from './queries.ts';

export type NewEvent = {
  [Type in EventType]: {
    /** The merchant, its test side, or `OPERATOR_ID`. */
    merchantId: number;
    type: Type;
    /** Milliseconds since 1970. */
    occurredAt: number;
    /** The catalog's revision after the change, for events about products. */
    revision?: number;
    data: EventData[Type];
  };
}[EventType];

/** The rest is for the other fields. */
const MAX_DATA_BYTES = MAX_EVENT_BYTES - 2_000;

/**
 * Runs in the transaction of the change, so that neither is committed without the other. If it is not awaited
 * before the next statement, a database server gets both in one round trip.
 */
export async function recordEvent(connection: Pick<Connection, 'run'>, event: NewEvent): Promise<void> {
  await connection.run(insertEvent, outboxRow(event));
}

export async function recordEvents(
  connection: Pick<Connection, 'runEach'>,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length > 0) await connection.runEach(insertEvent, events.map(outboxRow));
}

/** The first items that fit in an event with a little other data, at most `maxItems`. */
export function firstThatFit<Item>(items: readonly Item[], maxItems: number): Item[] {
  let bytes = 0;
  const few = items.slice(0, maxItems);
  const end = few.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > MAX_DATA_BYTES - 1_000;
  });
  return end < 0 ? few : few.slice(0, end);
}

function outboxRow({ merchantId, type, occurredAt, revision, data }: NewEvent): OutboxRow {
  const json = JSON.stringify(data);
  if (json.length > MAX_DATA_BYTES / 3 && Buffer.byteLength(json) > MAX_DATA_BYTES)
    throw new Error(`the data of an event ${type} has more than ${MAX_DATA_BYTES} bytes`);
  return {
    merchant_id: merchantId,
    id: newEventId(),
    type,
    occurred_at: occurredAt,
    revision: revision ?? null,
    data: json,
  };
}

/**
 * The id sorts after any that this machine created before. SQLite's clock has milliseconds, so ids decide the
 * order within one. All processes share the monotonic clock; their `performance.now` drifts apart.
 */
function newEventId(): string {
  const milliseconds = Date.now().toString(16).padStart(11, '0');
  const nanoseconds = BigInt.asUintN(40, process.hrtime.bigint()).toString(16).padStart(10, '0');
  // Other random bytes cost a system call each time, which takes longer than all the rest.
  const random = randomUUID();
  return `evt_${milliseconds}${nanoseconds}${random.slice(0, 8)}${random.slice(-8)}`;
}
