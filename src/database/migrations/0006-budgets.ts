import type { Dialect } from '../database.ts';

/** What each merchant has used of its daily budgets: one row for each budget, of the last day it was used on. */
export function budgetUses({ integer, text, compact }: Dialect): string[] {
  return [
    `CREATE TABLE budget_uses (
      merchant_id ${integer} NOT NULL,
      budget ${text} NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, budget)
    ) ${compact}`,
  ];
}
