import { randomUUID } from 'node:crypto';
import type { TransactionContext } from '../database/write-context.ts';
import { type EventData, type EventType, MAX_EVENT_BYTES } from './event-types.ts';
import { insertEvent, type OutboxRow } from './queries.ts';

export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    /** The catalog's revision after the change, for events about products. */
    revision?: number;
    data: EventData[Type];
  };
}[EventType];

/** The rest is for the other fields. */
const MAX_DATA_BYTES = MAX_EVENT_BYTES - 2_000;

/** Runs in the transaction of the change, so that neither is committed without the other. Returns its ID. */
export function recordEvent(context: TransactionContext, event: NewEvent): string {
  const row = outboxRow(context, event);
  context.connection.send(insertEvent, [row]);
  return row.id;
}

/** Like `recordEvent`. */
export function recordEvents(context: TransactionContext, events: readonly NewEvent[]): void {
  context.connection.send(
    insertEvent,
    events.map((event) => outboxRow(context, event)),
  );
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

function outboxRow({ merchantId, now }: TransactionContext, { type, revision, data }: NewEvent): OutboxRow {
  const json = JSON.stringify(data);
  if (json.length > MAX_DATA_BYTES / 3 && Buffer.byteLength(json) > MAX_DATA_BYTES)
    throw new Error(`the data of an event ${type} has more than ${MAX_DATA_BYTES} bytes`);
  return {
    merchant_id: merchantId,
    id: newEventId(),
    type,
    occurred_at: now,
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
