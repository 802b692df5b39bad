import { statement } from '../../database/statement.ts';

/** Counts an attempt for the limit and subject whose hash is `name`. A new count is reset at `resetsAt`. */
export const countAttempt = statement<
  { name: Uint8Array; resetsAt: number; now: number },
  { attempts: number; resets_at: number }
>(
  `INSERT INTO attempt_counts (name, attempts, resets_at) VALUES (:name, 1, :resetsAt)
   ON CONFLICT (name) DO UPDATE SET
     attempts = CASE WHEN attempt_counts.resets_at <= :now THEN 1 ELSE attempt_counts.attempts + 1 END,
     resets_at = CASE WHEN attempt_counts.resets_at <= :now THEN excluded.resets_at
                      ELSE attempt_counts.resets_at END
   RETURNING attempts, resets_at`,
);

export const deleteOldCounts = statement<{ now: number }, never>(
  'DELETE FROM attempt_counts WHERE resets_at <= :now',
);
