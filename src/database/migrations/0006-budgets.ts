import type { Dialect } from '../database.ts';

/**
 * Creates the table of daily budgets. A row has the amount that a merchant used on the last day on which it used a
 * budget.
 */
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
