import { BudgetExceeded, type Budgets } from '../budgets/budgets.ts';
import type { Connection } from '../database/database.ts';
import { countActiveKeys } from './queries.ts';

/**
 * Runs in the transaction that added a key. Other additions for the merchant wait for it.
 * @throws {BudgetExceeded} if the merchant now has too many active keys
 */
export async function limitActiveKeys(
  connection: Connection,
  { keys: limit }: Budgets,
  merchantId: number,
  now: number,
): Promise<void> {
  if (limit === null) return;
  const row = await connection.first(countActiveKeys, { merchantId, now });
  if ((row?.keys ?? 0) <= limit) return;
  const advice = 'Revoke a key first, or ask your marketplace operator for more.';
  throw new BudgetExceeded('keys', limit, { now, advice });
}
