import type { Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { DueDelivery, QueueStatements } from './delivery-queries.ts';
import type { AttemptResult, Sender } from './send-message.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Longer than a batch takes; a dead process keeps a webhook for this long. */
export const LEASE_MICROSECONDS = 40_000_000;

export type DeliveryOutcome = 'delivered' | 'retried' | 'failed';

export interface DeliveryParts {
  database: Database;
  statements: QueueStatements;
  sender: Sender;
  secrets: WebhookSecrets;
  holder: string;
  /** Milliseconds since any time, never earlier than before. */
  clock(): number;
  /** Resolves when results may be stored: at the same time for many webhooks, so that they share a commit. */
  nextCommit(): Promise<void>;
  budgets: Budgets;
  metrics: Metrics;
}

export interface Attempt {
  delivery: DueDelivery;
  result: AttemptResult;
}
