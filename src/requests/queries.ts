import { insertInto, statement } from '../database/database.ts';

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

export const listMerchantIds = statement<{ after: number; limit: number }, { id: number }>(
  'SELECT id FROM merchants WHERE id > :after ORDER BY id LIMIT CAST(:limit AS bigint)',
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
