import type { Database } from '../../database/database.ts';
import { measureBacklog } from '../../event-feed/backlog.ts';
import { REPORT_TIMEOUT_MS } from '../../imports/import-state.ts';
import { countRunning } from '../../imports/queries.ts';
import { mailStatements } from '../../mail/queries.ts';
import { measureQueues } from '../../webhooks/queries.ts';

/** What waits or runs in the whole service. Ages are in seconds. */
export interface Queues {
  events: { waiting: number; oldest_seconds: number };
  webhooks: { enabled: number; failing: number; disabled: number; waiting: number; oldest_seconds: number };
  mails: { waiting: number; oldest_seconds: number };
  imports: { running: number };
}

export async function readQueues({
  database,
  now,
}: {
  database: Database;
  now: () => number;
}): Promise<Queues> {
  const { dialect } = database;
  const [backlog, webhooks, mails, imports] = await Promise.all([
    measureBacklog(database, dialect),
    database.first(measureQueues(dialect), { now: now() }),
    database.first(mailStatements(dialect).measure),
    database.first(countRunning, { aliveAfter: now() - REPORT_TIMEOUT_MS }),
  ]);
  const disabled = webhooks?.disabled ?? 0;
  return {
    events: { waiting: backlog.waiting, oldest_seconds: Math.floor(backlog.oldestSeconds) },
    webhooks: {
      enabled: (webhooks?.webhooks ?? 0) - disabled,
      failing: webhooks?.failing ?? 0,
      disabled,
      waiting: webhooks?.waiting ?? 0,
      oldest_seconds: Math.floor((webhooks?.oldest_ms ?? 0) / 1000),
    },
    mails: { waiting: mails?.waiting ?? 0, oldest_seconds: Math.floor((mails?.oldest ?? 0) / 1_000_000) },
    imports: { running: imports?.imports ?? 0 },
  };
}
