import { statement } from '../database/database.ts';

interface DailyUse {
  merchantId: number;
  budget: string;
  day: number;
}

/** Returns the sum. A process whose clock is a day behind adds to the later day. */
export const addToBudgetUse = statement<DailyUse & { amount: number }, { used: number }>(
  `INSERT INTO budget_uses (merchant_id, budget, day, used) VALUES (:merchantId, :budget, :day, :amount)
   ON CONFLICT (merchant_id, budget) DO UPDATE SET
     used = excluded.used + CASE WHEN excluded.day > budget_uses.day THEN 0 ELSE budget_uses.used END,
     day = CASE WHEN excluded.day > budget_uses.day THEN excluded.day ELSE budget_uses.day END
   RETURNING used`,
);

/** No row if nothing was used. */
export const findBudgetUse = statement<DailyUse, { used: number }>(
  'SELECT used FROM budget_uses WHERE merchant_id = :merchantId AND budget = :budget AND day = :day',
);
