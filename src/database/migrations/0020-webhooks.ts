import type { Dialect } from '../database.ts';

/**
 * Creates the tables of webhooks. `due_at` and `lease_until` are microseconds of the database's clock, other times
 * milliseconds. Deliveries and attempts are deleted with their events, those of a deleted endpoint too.
 */
export function webhooks({ integer, text, compact, ordinary, clock }: Dialect): string[] {
  return [
    // `types` are separated by spaces; '' means all. `due_at` is null if no delivery waits.
    `CREATE TABLE webhook_endpoints (
      id ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL,
      url ${text} NOT NULL,
      description ${text} NOT NULL,
      types ${text} NOT NULL,
      secret ${text} NOT NULL,
      former_secret ${text},
      former_secret_until ${integer},
      created_at ${integer} NOT NULL,
      failing_since ${integer},
      disabled_at ${integer},
      disabled_reason ${text},
      due_at ${integer},
      lease_holder ${text} NOT NULL DEFAULT '',
      lease_until ${integer} NOT NULL DEFAULT 0
    ) ${ordinary}`,
    'CREATE INDEX webhook_endpoints_by_merchant ON webhook_endpoints (merchant_id, id)',
    'CREATE INDEX webhook_endpoints_due ON webhook_endpoints (due_at) WHERE due_at IS NOT NULL',
    // `attempts` counts all of them, `failures` those since the event was last sent or replayed.
    `CREATE TABLE webhook_deliveries (
      event_number ${integer} NOT NULL,
      endpoint_id ${text} NOT NULL,
      state ${text} NOT NULL,
      attempts ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      due_at ${integer} DEFAULT (${clock}),
      PRIMARY KEY (event_number, endpoint_id)
    ) ${compact}`,
    'CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, event_number)',
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at, event_number)
     WHERE due_at IS NOT NULL`,
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, event_number)
     WHERE state = 'failed'`,
    `CREATE TABLE webhook_attempts (
      event_number ${integer} NOT NULL,
      endpoint_id ${text} NOT NULL,
      attempt ${integer} NOT NULL,
      at ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      status ${integer},
      error ${text},
      response ${text},
      PRIMARY KEY (event_number, endpoint_id, attempt)
    ) ${ordinary}`,
  ];
}
