import { BudgetExceeded, type Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { WriteContext } from '../database/write-context.ts';
import { countActiveKeys } from './queries.ts';

/** What changes of keys need in addition to `WriteContext`. */
export interface KeyNeeds {
  /** Set if a merchant changes its own keys. The operator's changes are not limited. */
  budgets?: Budgets;
}

/** @throws {BudgetExceeded} if the merchant has changed too many keys today */
export async function takeKeyChange(context: WriteContext & KeyNeeds): Promise<void> {
  const { budgets } = context;
  if (budgets !== undefined) await takeFromBudget(context, budgets, { budget: 'key_changes_per_day' });
}

/**
 * Runs in the transaction that added a key to this side. Other additions for the merchant wait for it.
 * @throws {BudgetExceeded} if the side now has too many active keys
 */
export async function limitActiveKeys({
  connection,
  merchantId,
  now,
  budgets,
}: WriteContext & KeyNeeds): Promise<void> {
  const limit = budgets?.keys ?? null;
  if (limit === null) return;
  const row = await connection.first(countActiveKeys, { merchantId, now });
  if ((row?.keys ?? 0) <= limit) return;
  const advice = 'Revoke a key first, or ask your marketplace operator for more.';
  throw new BudgetExceeded('keys', limit, { now, advice });
}
