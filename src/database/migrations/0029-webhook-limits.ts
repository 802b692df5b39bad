import type { Dialect } from '../database.ts';

/**
 * Adds to webhooks until when they wait because their merchant has used up a budget, and when they were disabled the first
 * time on the last day on which this happened, both in milliseconds since 1970. Also adds the due time that the newest replay
 * gave its deliveries, in microseconds of the database's clock.
 */
export function webhookLimits({ integer }: Dialect): string[] {
  return ['waits_until', 'replay_due_at', 'reported_at'].map(
    (column) => `ALTER TABLE webhook_endpoints ADD COLUMN ${column} ${integer}`,
  );
}
