import { insertInto, statement, upsertInto } from '../database/statement.ts';

export interface FailedRequestRow {
  merchant_id: number;
  /** Begins with `at` (`idPrefix`). */
  id: string;
  at: number;
  key_id: number;
  client: string | null;
  method: string;
  /** The pattern of the path; the beginning of a path that no endpoint has. */
  path: string;
  /** A JSON array of names. */
  parameters: string;
  status: number;
  /** In the registry of errors; null if it has no name there. */
  error: string | null;
  message: string;
  request_id: string;
}

export const insertFailedRequest = insertInto<FailedRequestRow>('failed_requests', [
  'merchant_id',
  'id',
  'at',
  'key_id',
  'client',
  'method',
  'path',
  'parameters',
  'status',
  'error',
  'message',
  'request_id',
]);

export const listFailedRequests = statement<
  { merchantId: number; since: number },
  Omit<FailedRequestRow, 'merchant_id'>
>(
  `SELECT id, at, key_id, client, method, path, parameters, status, error, message, request_id
   FROM failed_requests
   WHERE merchant_id = :merchantId AND at >= :since ORDER BY id DESC`,
);

/** Failed calls of one side of a merchant with the same cause and endpoint. */
export interface FailureCount
  extends Pick<FailedRequestRow, 'merchant_id' | 'status' | 'error' | 'method' | 'path'> {
  calls: number;
  first_at: number;
  last_at: number;
}

/** Counts the newest calls of all merchants, at most `limit`. Reads every node of a cluster. */
export const countFailures = statement<{ since: number; limit: number }, FailureCount>(
  `SELECT merchant_id, status, error, method, path, CAST(count(*) AS integer) AS calls,
     min(at) AS first_at, max(at) AS last_at
   FROM (SELECT merchant_id, at, status, error, method, path FROM failed_requests
         WHERE at >= :since ORDER BY at DESC LIMIT CAST(:limit AS bigint)) AS newest
   GROUP BY merchant_id, status, error, method, path`,
  { everyNode: true, offLoop: true },
);

export const deleteAllButNewest = statement<{ merchantId: number; newest: number }, never>(
  `DELETE FROM failed_requests WHERE merchant_id = :merchantId AND id <= (
     SELECT id FROM failed_requests WHERE merchant_id = :merchantId
     ORDER BY id DESC LIMIT 1 OFFSET CAST(:newest AS bigint)
   )`,
);

/** A key's calls in an hour with the same endpoint and status. */
export interface UsageRow {
  merchant_id: number;
  hour: number;
  key_id: number;
  endpoint: string;
  status: number;
  requests: number;
}

export const addToUsage = statement<UsageRow, never>(
  `INSERT INTO usage_hours (merchant_id, hour, key_id, endpoint, status, requests)
   VALUES (:merchant_id, :hour, :key_id, :endpoint, :status, :requests)
   ON CONFLICT (merchant_id, hour, key_id, endpoint, status)
   DO UPDATE SET requests = usage_hours.requests + excluded.requests`,
);

export const listUsage = statement<{ merchantId: number; since: number }, Omit<UsageRow, 'merchant_id'>>(
  `SELECT hour, key_id, endpoint, status, requests FROM usage_hours
   WHERE merchant_id = :merchantId AND hour >= :since ORDER BY hour, key_id, endpoint, status`,
);

/** Counts calls that were refused because of the key. */
export const countRefusals = statement<
  { merchantId: number; since: number },
  { key_id: number; requests: number }
>(
  `SELECT key_id, CAST(sum(requests) AS bigint) AS requests FROM usage_hours
   WHERE merchant_id = :merchantId AND hour >= :since AND status = 401 GROUP BY key_id`,
);

export const findOldFailure = statement<{ merchantId: number; before: string }, { id: string }>(
  'SELECT id FROM failed_requests WHERE merchant_id = :merchantId AND id < :before LIMIT 1',
);

export const findOldUsage = statement<{ merchantId: number; before: number }, { hour: number }>(
  'SELECT hour FROM usage_hours WHERE merchant_id = :merchantId AND hour < :before LIMIT 1',
);

export const deleteOldFailures = statement<{ merchantId: number; before: string }, never>(
  'DELETE FROM failed_requests WHERE merchant_id = :merchantId AND id < :before',
);

export const deleteOldUsage = statement<{ merchantId: number; before: number }, never>(
  'DELETE FROM usage_hours WHERE merchant_id = :merchantId AND hour < :before',
);

interface CallSums {
  merchant_id: number;
  requests: number;
  failed: number;
}

const sumCalls = `CAST(sum(u.requests) AS bigint) AS requests,
     CAST(coalesce(sum(CASE WHEN u.status >= 400 THEN u.requests END), 0) AS bigint) AS failed`;

/** For lists of up to 50 merchants. */
export const sumCallsOf = statement<{ merchants: readonly number[]; since: number }, CallSums>(
  `SELECT u.merchant_id, ${sumCalls} FROM usage_hours u
   WHERE u.merchant_id IN (:merchants[50]) AND u.hour >= :since GROUP BY u.merchant_id`,
  { everyNode: true },
);

/** Of all merchants with at least so many failed calls, without test sides. */
export const sumFailingCalls = statement<{ since: number; atLeast: number }, CallSums>(
  `SELECT u.merchant_id, ${sumCalls}
   FROM merchant_counters c CROSS JOIN usage_hours u
   WHERE c.merchant_id > 0 AND u.merchant_id = c.merchant_id AND u.hour >= :since
   GROUP BY u.merchant_id
   HAVING sum(CASE WHEN u.status >= 400 THEN u.requests ELSE 0 END) >= CAST(:atLeast AS bigint)
   ORDER BY u.merchant_id`,
  { everyNode: true, offLoop: true, planEachTime: true },
);

/** Counts merchants with calls in hours from `since` and before `until`, without test sides. */
export const countActiveMerchants = statement<{ since: number; until: number }, { merchants: number }>(
  `SELECT count(*) AS merchants FROM merchant_counters c
   WHERE c.merchant_id > 0 AND EXISTS (
     SELECT 1 FROM usage_hours u
     WHERE u.merchant_id = c.merchant_id AND u.hour >= :since AND u.hour < :until)`,
  { everyNode: true, offLoop: true, planEachTime: true },
);

/** The calls of all merchants in ten minutes, which begin at `since`. */
export interface CallTotalRow {
  since: number;
  requests: number;
  failed: number;
}

export const addToCallTotals = upsertInto<CallTotalRow>(
  'call_totals',
  ['since'],
  ['requests', 'failed'],
  'DO UPDATE SET requests = call_totals.requests + excluded.requests, failed = call_totals.failed + excluded.failed',
);

/** Lists them from `since` on: at most two weeks of them are kept. */
export const listCallTotals = statement<{ since: number }, CallTotalRow>(
  'SELECT since, requests, failed FROM call_totals WHERE since >= :since',
);

export const deleteCallTotals = statement<{ before: number }, never>(
  'DELETE FROM call_totals WHERE since < :before',
);
