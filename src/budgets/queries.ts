import { statement } from '../database/database.ts';

/**
 * Parameters: merchant, budget, the UTC day, how much. Adds to what was used on that day and returns the sum.
 * A process whose clock is a day behind adds to the newer day.
 */
export const addToBudgetUse = statement<{ used: number }>(
  `INSERT INTO budget_uses (merchant_id, budget, day, used) VALUES (?, ?, ?, ?)
   ON CONFLICT (merchant_id, budget) DO UPDATE SET
     used = excluded.used + CASE WHEN excluded.day > budget_uses.day THEN 0 ELSE budget_uses.used END,
     day = CASE WHEN excluded.day > budget_uses.day THEN excluded.day ELSE budget_uses.day END
   RETURNING used`,
);

/** Parameters: merchant, budget, the UTC day. No row where nothing was used on that day. */
export const findBudgetUse = statement<{ used: number }>(
  'SELECT used FROM budget_uses WHERE merchant_id = ? AND budget = ? AND day = ?',
);
