import type { BudgetName, Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import type { DueDelivery, QueueStatements } from './queries.ts';
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
  /** Resolves when results may be stored: at the same time for many webhooks, so that they share a commit. */
  nextCommit(): Promise<void>;
  budgets: Budgets;
  onAttempt(outcome: DeliveryOutcome): void;
  /** Called when a merchant's webhooks begin to wait for this budget. */
  onBudgetUsedUp(budget: BudgetName): void;
}

export interface Attempt {
  delivery: DueDelivery;
  result: AttemptResult;
}
