import { statement } from '../../database/database.ts';

/**
 * Parameters: the hash of what is limited, when its count begins anew, the time twice. Counts an
 * attempt; gives how many there were and when the count begins anew.
 */
export const countAttempt = statement<{ attempts: number; resets_at: number }>(
  `INSERT INTO console_rate_limits (name, attempts, resets_at) VALUES (?, 1, ?)
   ON CONFLICT (name) DO UPDATE SET
     attempts = CASE WHEN console_rate_limits.resets_at <= ? THEN 1 ELSE console_rate_limits.attempts + 1 END,
     resets_at = CASE WHEN console_rate_limits.resets_at <= ? THEN excluded.resets_at
                      ELSE console_rate_limits.resets_at END
   RETURNING attempts, resets_at`,
);

/** Parameters: the time. */
export const deleteOldCounts = statement('DELETE FROM console_rate_limits WHERE resets_at <= ?');
