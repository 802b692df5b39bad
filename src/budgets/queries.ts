import { statement } from '../database/statement.ts';

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

/**
 * Adds to the count of a name's hash in the window that ends at `endsAt`, and returns the total. If the clock
 * is behind, adds to the latest window that was counted.
 */
export const addByName = statement<{ name: Uint8Array; count: number; endsAt: number }, { requests: number }>(
  `INSERT INTO attempt_counts (name, attempts, resets_at) VALUES (:name, :count, :endsAt)
   ON CONFLICT (name) DO UPDATE SET
     attempts = excluded.attempts + CASE WHEN excluded.resets_at > attempt_counts.resets_at THEN 0
                                         ELSE attempt_counts.attempts END,
     resets_at = CASE WHEN excluded.resets_at > attempt_counts.resets_at THEN excluded.resets_at
                      ELSE attempt_counts.resets_at END
   RETURNING attempts AS requests`,
);

export const deleteEndedCounts = statement<{ now: number }, never>(
  'DELETE FROM attempt_counts WHERE resets_at <= :now',
);
