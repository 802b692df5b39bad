import type { Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { DueDelivery, QueueStatements } from './queries.ts';
import type { AttemptResult, Sender } from './send-message.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Longer than a batch takes, and how long a dead process keeps a webhook. */
export const LEASE_MICROSECONDS = 40_000_000;

/** How an attempt ended, for metrics. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'failed';

/** The parts that deliver. */
export interface DeliveryParts {
  database: Database;
  statements: QueueStatements;
  sender: Sender;
  secrets: WebhookSecrets;
  /** Identifies this process. */
  holder: string;
  /** Resolves when results may be stored: for many webhooks at once, so that their transactions share a commit. */
  nextCommit(): Promise<void>;
  budgets: Budgets;
  metrics: Metrics;
}

/** An attempt at a delivery, and its result. */
export interface Attempt {
  delivery: DueDelivery;
  result: AttemptResult;
}
