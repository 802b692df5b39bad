/**
 * What one merchant may use, so that none can take what others need. No honest merchant reaches these defaults;
 * the setting BUDGETS changes them. A `daily` budget renews at 00:00 UTC; one on concurrent use renews
 * `at once`, when a use ends; one that `never` renews counts what the merchant keeps.
 */
export const budgetDefinitions = {
  categories: { limit: 10_000, counts: 'categories in use', renews: 'never' },
  keys: { limit: 100, counts: 'active keys', renews: 'never' },
  users: { limit: 100, counts: 'console users', renews: 'never' },
  key_changes_per_day: { limit: 1_000, counts: 'keys created or rotated', renews: 'daily' },
  campaigns_per_day: { limit: 10_000, counts: 'campaigns created', renews: 'daily' },
  uploads_per_day: { limit: 200, counts: 'files uploaded', renews: 'daily' },
  upload_bytes: { limit: 2 * 1024 ** 3, counts: 'bytes of uploaded files kept on disk', renews: 'never' },
  import_cpu_seconds_per_day: { limit: 3_600, counts: 'CPU seconds of imports', renews: 'daily' },
  unread_bytes: { limit: 64 * 1024 ** 2, counts: 'bytes of responses not read yet', renews: 'at once' },
  large_pages: { limit: 4, counts: 'large pages read at once', renews: 'at once' },
} as const;

export type BudgetName = keyof typeof budgetDefinitions;

/** The limit of each budget; null for none. */
export type Budgets = Readonly<Record<BudgetName, number | null>>;

/** Every budget's name, in the order of the documentation. */
export const budgetNames = Object.keys(budgetDefinitions) as BudgetName[];

/** The limits that hold where BUDGETS does not say otherwise. */
export const defaultBudgets: Budgets = Object.fromEntries(
  budgetNames.map((name) => [name, budgetDefinitions[name].limit]),
) as Record<BudgetName, number>;

/** A day in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day that a time falls on, counted from 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** A merchant has used up a budget. The message is for the merchant and names the budget. */
export class BudgetExceeded extends Error {
  override name = 'BudgetExceeded';
  readonly budget: BudgetName;
  /** When to try again; null where the merchant has to give something up first. */
  readonly retryAfterSeconds: number | null;

  /** `advice` completes the message: what the merchant can do about it. `now` is needed for daily budgets. */
  constructor(
    budget: BudgetName,
    limit: number,
    { now = 0, advice = '' }: { now?: number; advice?: string } = {},
  ) {
    const { counts, renews } = budgetDefinitions[budget];
    const period = renews === 'daily' ? ' per day (UTC)' : '';
    const then = advice === '' ? '' : ` ${advice}`;
    super(`Budget ${budget} exceeded: at most ${limit.toLocaleString('en')} ${counts}${period}.${then}`);
    this.budget = budget;
    const retryAfter = {
      daily: Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000),
      'at once': 1,
      never: null,
    };
    this.retryAfterSeconds = retryAfter[renews];
  }
}
