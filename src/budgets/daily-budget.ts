import type { Connection, Reader } from '../database/database.ts';
import { BudgetExceeded, type BudgetName, type Budgets, dayOf } from './budgets.ts';
import { addToBudgetUse, findBudgetUse } from './queries.ts';

/** Whose budget, and which. */
export interface BudgetOwner {
  merchantId: number;
  budget: BudgetName;
}

/**
 * Takes from a merchant's daily budget, inside the transaction of what it is taken for: if that is rolled back,
 * nothing is used.
 * @throws {BudgetExceeded} if today's limit would be passed
 */
export async function takeFromBudget(
  connection: Connection,
  budgets: Budgets,
  { merchantId, budget, amount = 1 }: BudgetOwner & { amount?: number },
  now: number,
): Promise<void> {
  const limit = budgets[budget];
  if (limit === null) return;
  const row = await connection.first(addToBudgetUse, [merchantId, budget, dayOf(now), amount]);
  if (row !== undefined && row.used > limit) throw new BudgetExceeded(budget, limit, { now });
}

/** Notes what was used of a daily budget whose cost is only known afterwards. Never refuses. */
export async function noteBudgetUse(
  connection: Connection,
  { merchantId, budget, amount }: BudgetOwner & { amount: number },
  now: number,
): Promise<void> {
  await connection.first(addToBudgetUse, [merchantId, budget, dayOf(now), Math.ceil(amount)]);
}

/** @throws {BudgetExceeded} if a merchant has used up a daily budget */
export async function requireBudgetLeft(
  reader: Pick<Reader, 'first'>,
  budgets: Budgets,
  { merchantId, budget }: BudgetOwner,
  now: number,
): Promise<void> {
  const limit = budgets[budget];
  if (limit === null) return;
  const row = await reader.first(findBudgetUse, [merchantId, budget, dayOf(now)]);
  if ((row?.used ?? 0) >= limit) throw new BudgetExceeded(budget, limit, { now });
}
