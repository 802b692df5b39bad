import type { Dialect } from '../database.ts';

/**
 * Creates the tables of events. A transaction writes its events to the outbox of its merchant, in the order of `written_at`,
 * microseconds of the database's clock. From there they are moved to the feed of all merchants, where they have numbers.
 * The counters know which catalogs have changes that no event has announced, and the keys which expiry was announced.
 */
export function events({ integer, text, compact, ordinary, clock }: Dialect): string[] {
  return [
    `CREATE TABLE outbox (
      merchant_id ${integer} NOT NULL,
      written_at ${integer} NOT NULL DEFAULT (${clock}),
      id ${text} NOT NULL,
      type ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      revision ${integer},
      data ${text} NOT NULL,
      PRIMARY KEY (merchant_id, written_at, id)
    ) ${compact}`,
    `CREATE TABLE events (
      number ${integer} NOT NULL PRIMARY KEY,
      id ${text} NOT NULL UNIQUE,
      merchant_id ${integer} NOT NULL,
      type ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      revision ${integer},
      data ${text} NOT NULL
    ) ${ordinary}`,
    'CREATE INDEX events_by_merchant ON events (merchant_id, number)',
    // One row, from the first numbered event on. The process that numbers events holds it until `lease_until`.
    `CREATE TABLE event_feed (
      id ${integer} NOT NULL PRIMARY KEY,
      epoch ${integer} NOT NULL,
      last_number ${integer} NOT NULL,
      deleted_up_to ${integer} NOT NULL,
      holder ${text} NOT NULL,
      lease_until ${integer} NOT NULL
    ) ${compact}`,
    ...['unannounced', 'announced_revision', 'announced_at', 'announce_interval'].map(
      (column) => `ALTER TABLE merchant_counters ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`,
    ),
    'UPDATE merchant_counters SET announced_revision = catalog_revision',
    'CREATE INDEX merchant_counters_unannounced ON merchant_counters (merchant_id) WHERE unannounced = 1',
    "CREATE INDEX uploads_importing ON uploads (merchant_id, id) WHERE state = 'importing'",
    `ALTER TABLE api_keys ADD COLUMN announced_expiry ${integer}`,
  ];
}
