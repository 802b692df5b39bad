import { insertInto, statement } from '../database/database.ts';

export interface FailedRequestRow {
  merchant_id: number;
  /** Increases with time. */
  id: string;
  at: number;
  key_id: number;
  client: string | null;
  method: string;
  /** The pattern of the path; for a path that no endpoint has, its beginning. */
  path: string;
  /** The names of the parameters, a JSON array. */
  parameters: string;
  status: number;
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
  'message',
  'request_id',
]);

/** Lists a merchant's failed calls since a time, newest first. */
export const listFailedRequests = statement<
  { merchantId: number; since: number },
  Omit<FailedRequestRow, 'merchant_id'>
>(
  `SELECT id, at, key_id, client, method, path, parameters, status, message, request_id FROM failed_requests
   WHERE merchant_id = :merchantId AND at >= :since ORDER BY id DESC`,
);

/** Deletes a merchant's failed calls except the newest ones. */
export const deleteAllButNewest = statement<{ merchantId: number; newest: number }, never>(
  `DELETE FROM failed_requests WHERE merchant_id = :merchantId AND id <= (
     SELECT id FROM failed_requests WHERE merchant_id = :merchantId
     ORDER BY id DESC LIMIT 1 OFFSET CAST(:newest AS bigint)
   )`,
);

/** Calls of a key in an hour with the same endpoint and status. */
export interface UsageRow {
  merchant_id: number;
  /** When the hour begins. */
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

/** Lists a merchant's counts since a time, in order. */
export const listUsage = statement<{ merchantId: number; since: number }, Omit<UsageRow, 'merchant_id'>>(
  `SELECT hour, key_id, endpoint, status, requests FROM usage_hours
   WHERE merchant_id = :merchantId AND hour >= :since ORDER BY hour, key_id, endpoint, status`,
);

/** Counts the calls of each key of a merchant that were refused because of the key, since a time. */
export const countRefusals = statement<
  { merchantId: number; since: number },
  { key_id: number; requests: number }
>(
  `SELECT key_id, CAST(sum(requests) AS bigint) AS requests FROM usage_hours
   WHERE merchant_id = :merchantId AND hour >= :since AND status = 401 GROUP BY key_id`,
);

/**
 * Lists merchants with failed calls before a time. Only the process that numbers events runs this and the next statement: in
 * a cluster, they read from every node.
 */
export const listMerchantsWithOldFailures = statement<
  { before: number; limit: number },
  { merchant_id: number }
>('SELECT DISTINCT merchant_id FROM failed_requests WHERE at < :before LIMIT CAST(:limit AS bigint)');

/** Lists merchants with counts before a time. */
export const listMerchantsWithOldUsage = statement<
  { before: number; limit: number },
  { merchant_id: number }
>('SELECT DISTINCT merchant_id FROM usage_hours WHERE hour < :before LIMIT CAST(:limit AS bigint)');

export const deleteOldFailures = statement<{ merchantId: number; before: number }, never>(
  'DELETE FROM failed_requests WHERE merchant_id = :merchantId AND at < :before',
);

export const deleteOldUsage = statement<{ merchantId: number; before: number }, never>(
  'DELETE FROM usage_hours WHERE merchant_id = :merchantId AND hour < :before',
);
