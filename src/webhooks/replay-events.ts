import type { Connection, Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import {
  findEventNumber,
  findReplayedDelivery,
  listAllEvents,
  listEventsOf,
  listFailedEvents,
  queueStatements,
} from './delivery-queries.ts';
import { requireWebhook } from './find-webhook.ts';
import { lockWebhook, type WebhookName, type WebhookRow } from './queries.ts';
import { nameOf, receives } from './webhook.ts';

const EVENTS_PER_TRANSACTION = 500;

/** Times are milliseconds since 1970; `until` is excluded. */
export type Replay = { eventId: string } | { since: number; until: number; onlyFailed: boolean };

/**
 * Sends events again, to the webhook's current URL, with the same ids and all attempts: one event, or all
 * that it receives of a period, even before its creation, or only the failed ones. While these wait, only
 * single events can be replayed. Resolves to the number of events.
 * @throws {DomainError} `webhook_not_found`, `webhook_disabled`, `event_not_found`, `replay_in_progress`
 */
export async function replayEvents(database: Database, owned: WebhookName, replay: Replay): Promise<number> {
  const webhook = await requireWebhook(database, owned);
  const name = nameOf(webhook);
  if (webhook.disabled_at !== null) throw errors.webhook_disabled(name.id);
  if ('eventId' in replay) {
    const event = await database.first(findEventNumber, { eventId: replay.eventId });
    if (event === undefined || !receives({ ...webhook, types: '' }, event))
      throw errors.event_not_found(replay.eventId);
    await database.transaction((connection) =>
      makeDue(connection, database, name, { numbers: [event.number], dueAt: null }),
    );
    return 1;
  }
  const { beginReplay } = queueStatements(database.dialect);
  if ((await database.first(findReplayedDelivery, name)) !== undefined)
    throw errors.replay_in_progress(name.id);
  let dueAt: number | undefined;
  let count = 0;
  let after = 0;
  for (let more = true; more; ) {
    const found = await listNext(database, webhook, replay.onlyFailed, after);
    const chosen = found.filter(
      (event) =>
        event.occurred_at >= replay.since && event.occurred_at < replay.until && receives(webhook, event),
    );
    if (chosen.length > 0) {
      const numbers = chosen.map(({ number }) => number);
      dueAt = await database.transaction(async (connection) => {
        const at = dueAt ?? (await connection.first(beginReplay, name))?.replay_due_at;
        if (at !== undefined) await makeDue(connection, database, name, { numbers, dueAt: at });
        return at;
      });
      if (dueAt === undefined) throw errors.replay_in_progress(name.id);
    }
    count += chosen.length;
    after = found.at(-1)?.number ?? after;
    more = found.length === EVENTS_PER_TRANSACTION;
  }
  return count;
}

async function listNext(
  database: Database,
  { id, merchant_id: merchantId }: WebhookRow,
  onlyFailed: boolean,
  after: number,
): Promise<
  { number: number; merchant_id: number; type: Parameters<typeof receives>[1]['type']; occurred_at: number }[]
> {
  const range = { after, limit: EVENTS_PER_TRANSACTION };
  if (onlyFailed) return await database.all(listFailedEvents, { ...range, webhookId: id });
  if (merchantId === OPERATOR_ID) return await database.all(listAllEvents, range);
  return await database.all(listEventsOf, { ...range, merchantId });
}

async function makeDue(
  connection: Connection,
  { dialect }: Pick<Database, 'dialect'>,
  name: WebhookName,
  { numbers, dueAt }: { numbers: readonly number[]; dueAt: number | null },
): Promise<void> {
  const { replayDelivery, wakeWebhook } = queueStatements(dialect);
  // As in `fanOut`, the webhook first.
  if ((await connection.first(lockWebhook, name)) === undefined) return;
  await connection.run(wakeWebhook, { id: name.id });
  await connection.runEach(
    replayDelivery,
    numbers.map((eventNumber) => ({ webhookId: name.id, eventNumber, dueAt })),
  );
}
