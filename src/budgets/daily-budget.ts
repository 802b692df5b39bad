import type { Reader } from '../database/database.ts';
import type { TransactionContext } from '../database/write-context.ts';
import { BudgetExceeded, type BudgetName, type Budgets, dayOf } from './budgets.ts';
import { addToBudgetUse, findBudgetUse } from './queries.ts';

interface MerchantBudget {
  merchantId: number;
  budget: BudgetName;
}

/**
 * Runs in the transaction of the use, so that a rollback returns the amount.
 * @throws {BudgetExceeded} if this exceeds today's limit
 */
export async function takeFromBudget(
  { connection, merchantId, now }: TransactionContext,
  budgets: Budgets,
  { budget, amount = 1 }: { budget: BudgetName; amount?: number },
): Promise<void> {
  const limit = budgets[budget];
  if (limit === null) return;
  const row = await connection.first(addToBudgetUse, { merchantId, budget, day: dayOf(now), amount });
  if (row !== undefined && row.used > limit) throw new BudgetExceeded(budget, limit, { now });
}

/** Runs in a transaction. Resolves to false, and takes nothing, if the budget is used up. */
export async function takeIfLeft(
  context: TransactionContext,
  budgets: Budgets,
  budget: BudgetName,
): Promise<boolean> {
  const { connection, merchantId, now } = context;
  if ((await findBudgetLeft(connection, budgets, { merchantId, budget }, now)) < 1) return false;
  await recordBudgetUse(context, { budget, amount: 1 });
  return true;
}

/** For a use whose amount is known only afterwards. Rounds up, and ignores the limit. */
export async function recordBudgetUse(
  { connection, merchantId, now }: TransactionContext,
  { budget, amount }: { budget: BudgetName; amount: number },
): Promise<void> {
  await connection.first(addToBudgetUse, { merchantId, budget, day: dayOf(now), amount: Math.ceil(amount) });
}

/** Infinity if the budget is unlimited. */
export async function findBudgetLeft(
  reader: Pick<Reader, 'first'>,
  budgets: Budgets,
  { merchantId, budget }: MerchantBudget,
  now: number,
): Promise<number> {
  const limit = budgets[budget];
  if (limit === null) return Number.POSITIVE_INFINITY;
  const row = await reader.first(findBudgetUse, { merchantId, budget, day: dayOf(now) });
  return Math.max(0, limit - (row?.used ?? 0));
}

/** @throws {BudgetExceeded} if a merchant has used up a daily budget */
export async function requireBudgetLeft(
  reader: Pick<Reader, 'first'>,
  budgets: Budgets,
  merchantBudget: MerchantBudget,
  now: number,
): Promise<void> {
  if ((await findBudgetLeft(reader, budgets, merchantBudget, now)) > 0) return;
  const { budget } = merchantBudget;
  throw new BudgetExceeded(budget, budgets[budget] ?? 0, { now });
}
