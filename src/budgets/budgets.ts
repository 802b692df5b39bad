import { DomainError, type ErrorDocumentation } from '../errors/domain-error.ts';

/**
 * Limits on what one merchant may use, above normal use; the setting BUDGETS changes them. A `daily` budget
 * renews at 00:00 UTC, a budget on concurrent use `immediately`, when a use ends. A budget that `never`
 * renews counts what the merchant stores.
 */
export const budgetDefinitions = {
  categories: { limit: 10_000, counts: 'categories in use', renews: 'never' },
  keys: { limit: 100, counts: 'active keys', renews: 'never' },
  users: { limit: 100, counts: 'console users', renews: 'never' },
  key_changes_per_day: { limit: 1_000, counts: 'keys created or rotated', renews: 'daily' },
  campaigns_per_day: { limit: 10_000, counts: 'campaigns created', renews: 'daily' },
  campaign_changes_per_day: { limit: 50_000, counts: 'changes of campaigns', renews: 'daily' },
  webhook_changes_per_day: { limit: 1_000, counts: 'changes and replays of webhooks', renews: 'daily' },
  webhook_attempts_per_day: {
    limit: 50_000,
    counts: 'attempts to deliver events to webhooks',
    renews: 'daily',
  },
  mails_per_day: { limit: 500, counts: 'mails about keys, webhooks and imports', renews: 'daily' },
  stored_response_bytes_per_day: {
    limit: 1024 ** 3,
    counts: 'bytes of responses to writes with an Idempotency-Key',
    renews: 'daily',
  },
  test_triggers_per_day: { limit: 500, counts: 'calls of POST test/trigger', renews: 'daily' },
  imports_per_day: { limit: 200, counts: 'files uploaded', renews: 'daily' },
  import_bytes: { limit: 2 * 1024 ** 3, counts: 'bytes of uploaded files kept on disk', renews: 'never' },
  import_cpu_seconds_per_day: { limit: 3_600, counts: 'CPU seconds of imports', renews: 'daily' },
  unread_bytes: { limit: 64 * 1024 ** 2, counts: 'bytes of unread responses', renews: 'immediately' },
  large_pages: { limit: 4, counts: 'large pages read concurrently', renews: 'immediately' },
} as const;

export type BudgetName = keyof typeof budgetDefinitions;

/** Null for unlimited. */
export type Budgets = Readonly<Record<BudgetName, number | null>>;

/** In the order of the documentation. */
export const budgetNames = Object.keys(budgetDefinitions) as BudgetName[];

export const defaultBudgets: Budgets = Object.fromEntries(
  budgetNames.map((name) => [name, budgetDefinitions[name].limit]),
) as Record<BudgetName, number>;

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Days are counted from 1970, in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** The UTC day ends then, and so do its daily budgets. */
export function endOfDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

const BUDGET_EXCEEDED = 'budget_exceeded';

export const budgetExceeded = {
  status: 429,
  otherStatuses: [409, 400],
  cause:
    'the merchant has used up a [budget](settings.md#budgets), which the message names: 429 if it renews automatically, 409 or 400 if it does not',
  remedy:
    '429: wait as long as `Retry-After` says; otherwise: free something, such as a key, or ask the marketplace operator for more',
} satisfies ErrorDocumentation;

/** A merchant used up a budget. The message is for the merchant and names the budget. */
export class BudgetExceeded extends DomainError {
  readonly budget: BudgetName;

  /** `advice` completes the message. Daily budgets need `now`. */
  constructor(
    budget: BudgetName,
    limit: number,
    { now = 0, advice = '' }: { now?: number; advice?: string } = {},
  ) {
    const { counts, renews } = budgetDefinitions[budget];
    const period = renews === 'daily' ? ' per day (UTC)' : '';
    const suffix = advice === '' ? '' : ` ${advice}`;
    const message = `Budget ${budget} exceeded: at most ${limit.toLocaleString('en')} ${counts}${period}.${suffix}`;
    const retryAfter = { daily: Math.ceil((endOfDay(now) - now) / 1000), immediately: 1, never: null };
    super(BUDGET_EXCEEDED, { message, retryAfterSeconds: retryAfter[renews] });
    this.budget = budget;
  }
}

/** Also recognizes an error that came from another thread. */
export function isBudgetExceeded(error: unknown): error is BudgetExceeded {
  return error instanceof DomainError && error.code === BUDGET_EXCEEDED && 'budget' in error;
}
