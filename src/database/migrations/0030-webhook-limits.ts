import type { Dialect } from '../database.ts';

/**
 * Adds to webhooks until when they wait because their merchant has used up a budget, in milliseconds since 1970, and the due
 * time that the newest replay gave its deliveries, in microseconds of the database's clock.
 */
export function webhookLimits({ integer }: Dialect): string[] {
  return ['waits_until', 'replay_due_at'].map(
    (column) => `ALTER TABLE webhook_endpoints ADD COLUMN ${column} ${integer}`,
  );
}
