import type { Connection, Reader } from '../database/database.ts';
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
  connection: Connection,
  budgets: Budgets,
  { merchantId, budget, amount = 1 }: MerchantBudget & { amount?: number },
  now: number,
): Promise<void> {
  const limit = budgets[budget];
  if (limit === null) return;
  const row = await connection.first(addToBudgetUse, { merchantId, budget, day: dayOf(now), amount });
  if (row !== undefined && row.used > limit) throw new BudgetExceeded(budget, limit, { now });
}

/** Runs in a transaction. Resolves to false, and takes nothing, if the budget is used up. */
export async function takeIfLeft(
  connection: Connection,
  budgets: Budgets,
  merchantBudget: MerchantBudget,
  now: number,
): Promise<boolean> {
  if ((await findBudgetLeft(connection, budgets, merchantBudget, now)) < 1) return false;
  await recordBudgetUse(connection, { ...merchantBudget, amount: 1 }, now);
  return true;
}

/** For a use whose amount is known only afterwards. Rounds up, and ignores the limit. */
export async function recordBudgetUse(
  connection: Connection,
  { merchantId, budget, amount }: MerchantBudget & { amount: number },
  now: number,
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
