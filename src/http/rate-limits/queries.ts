import { statement } from '../../database/database.ts';

/**
 * Parameters: merchant, key, the minute (since 1970), how many requests. Counts them and gives the key's
 * sum in that minute. A process whose clock is behind counts in the minute of those that are ahead.
 */
export const addRequestsOfKey = statement<{ requests: number }>(
  `INSERT INTO request_counts (merchant_id, key_id, minute, requests) VALUES (?, ?, ?, ?)
   ON CONFLICT (merchant_id, key_id) DO UPDATE SET
     requests = excluded.requests + CASE WHEN excluded.minute > request_counts.minute THEN 0
                                         ELSE request_counts.requests END,
     minute = CASE WHEN excluded.minute > request_counts.minute THEN excluded.minute
                   ELSE request_counts.minute END
   RETURNING requests`,
);

/**
 * Parameters: the hash of what is limited, how many, when the window ends. Counts them and returns the sum in that
 * window, clocks taken as above.
 */
export const addByName = statement<{ requests: number }>(
  `INSERT INTO console_rate_limits (name, attempts, resets_at) VALUES (?, ?, ?)
   ON CONFLICT (name) DO UPDATE SET
     attempts = excluded.attempts + CASE WHEN excluded.resets_at > console_rate_limits.resets_at THEN 0
                                         ELSE console_rate_limits.attempts END,
     resets_at = CASE WHEN excluded.resets_at > console_rate_limits.resets_at THEN excluded.resets_at
                      ELSE console_rate_limits.resets_at END
   RETURNING attempts AS requests`,
);

/** Parameters: the time. */
export const deleteEndedCounts = statement('DELETE FROM console_rate_limits WHERE resets_at <= ?');
