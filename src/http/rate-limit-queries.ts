import { statement } from '../database/database.ts';

/**
 * Parameters: merchant, key, the minute (since 1970), how many requests. Counts them and gives the key's
 * sum in that minute. A process whose clock is behind counts in the minute of those that are ahead.
 */
export const addRequests = statement<{ requests: number }>(
  `INSERT INTO request_counts (merchant_id, key_id, minute, requests) VALUES (?, ?, ?, ?)
   ON CONFLICT (merchant_id, key_id) DO UPDATE SET
     requests = excluded.requests + CASE WHEN excluded.minute > request_counts.minute THEN 0
                                         ELSE request_counts.requests END,
     minute = CASE WHEN excluded.minute > request_counts.minute THEN excluded.minute
                   ELSE request_counts.minute END
   RETURNING requests`,
);
