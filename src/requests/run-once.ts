import { hash } from 'node:crypto';
import type { Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { Connection, Database, Reader } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { deleteSomeExpiredResponses, findResponseByKey, insertResponse } from './response-queries.ts';

/** How long the response of a key is stored. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const BUDGET = 'stored_response_bytes_per_day';

/** What a request must have in common with the first one with its key to get the same response. */
export interface IdempotentRequest {
  merchantId: number;
  /** Undefined if the request has none. Then nothing is stored. */
  key: string | undefined;
  /** The method and path, such as `POST /campaigns.json`. */
  endpoint: string;
  /** The parameters, or other data that JSON can represent. */
  input: unknown;
}

export interface OnceServices {
  database: Database;
  budgets: Budgets;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The keys whose first request is in progress in this process. */
  inProgress: Set<string>;
}

/** Whether a response is stored for a key, whatever its request. If so, `runOnce` does not run its work. */
export async function hasStoredResponse(
  { database, now }: Pick<OnceServices, 'database' | 'now'>,
  { merchantId, key }: Pick<IdempotentRequest, 'merchantId' | 'key'>,
): Promise<boolean> {
  if (key === undefined) return false;
  return (
    (await database.first(findResponseByKey, { merchantId, key, expiredAt: now() - LIFETIME_MS })) !==
    undefined
  );
}

type KeyedRequest = Omit<IdempotentRequest, 'key' | 'input'> & {
  key: string;
  fingerprint: Uint8Array;
};

export function keyedRequest({ key, input, ...request }: IdempotentRequest): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  return { ...request, key, fingerprint: hash('sha256', JSON.stringify(input), 'buffer') };
}

/**
 * Returns the response stored for a request; undefined if there is none, or if it has expired.
 * @throws {DomainError} `idempotency_key_reused` if the key belongs to another request
 */
export async function findStoredResponse(
  reader: Pick<Reader, 'first'>,
  { merchantId, key, endpoint, fingerprint }: KeyedRequest,
  now: number,
): Promise<string | undefined> {
  const stored = await reader.first(findResponseByKey, { merchantId, key, expiredAt: now - LIFETIME_MS });
  if (stored === undefined) return undefined;
  if (stored.endpoint !== endpoint || Buffer.compare(fingerprint, stored.fingerprint) !== 0)
    throw errors.idempotency_key_reused();
  return stored.response;
}

/** Resolves to false if another transaction was faster with the same key. */
export async function storeResponse(
  connection: Connection,
  request: KeyedRequest,
  response: string,
  now: number,
): Promise<boolean> {
  return (await connection.run(insertResponse, { ...request, response, now })) > 0;
}

/**
 * Runs `work` in a transaction and returns its response, a JSON text. If the merchant sent the same key to
 * the same endpoint with the same input within 24 hours, returns that first response (contract, “Campaign”).
 * The response is stored in the same transaction as the work.
 *
 * With `locksMerchant`, the transaction locks the merchant first, so that a repetition on another node waits
 * for the response. Only then do responses count against a daily budget of bytes: others would have to wait
 * for each other to count.
 * @throws {DomainError} `idempotency_key_reused`, `idempotency_key_in_progress`
 * @throws {BudgetExceeded} if the merchant’s responses of today are too large to store
 */
export async function runOnce(
  { database, budgets, now, inProgress }: OnceServices,
  { locksMerchant = false, ...request }: IdempotentRequest & { locksMerchant?: boolean },
  work: (connection: Connection) => Promise<string>,
): Promise<string> {
  const { merchantId } = request;
  const transaction = (run: (connection: Connection) => Promise<string>): Promise<string> =>
    database.transaction(
      async (connection) => {
        if (locksMerchant) await connection.run(lockMerchant, { merchantId });
        return await run(connection);
      },
      // The operator's requests change other merchants' rows.
      merchantId === OPERATOR_ID ? { everyNode: true } : { merchantId, locksMerchant },
    );
  const keyed = keyedRequest(request);
  if (keyed === undefined) return await transaction(work);
  const name = `${merchantId} ${keyed.key}`;
  if (inProgress.has(name)) throw errors.idempotency_key_in_progress();
  inProgress.add(name);
  try {
    return await transaction(async (connection) => {
      const stored = await findStoredResponse(connection, keyed, now());
      if (stored !== undefined) return stored;
      const expiredAt = now() - LIFETIME_MS;
      await connection.run(deleteSomeExpiredResponses, { merchantId, key: keyed.key, expiredAt });
      const response = await work(connection);
      if (locksMerchant) {
        const amount = Buffer.byteLength(response);
        await takeFromBudget(connection, budgets, { merchantId, budget: BUDGET, amount }, now());
      }
      // Another process stored a response for this key meanwhile. The error rolls this work back.
      if (!(await storeResponse(connection, keyed, response, now())))
        throw errors.idempotency_key_in_progress();
      return response;
    });
  } finally {
    inProgress.delete(name);
  }
}
