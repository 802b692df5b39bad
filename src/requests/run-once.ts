import { hash } from 'node:crypto';
import type { Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { Database, Reader } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type TransactionContext, type Verb } from '../database/write-context.ts';
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

/** A request with an `Idempotency-Key`. Plain data. */
export type KeyedRequest = Omit<IdempotentRequest, 'key' | 'input'> & {
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
  { connection, now }: Pick<TransactionContext, 'connection' | 'now'>,
  request: KeyedRequest,
  response: string,
): Promise<boolean> {
  return (await connection.run(insertResponse, { ...request, response, now })) > 0;
}

/**
 * Runs a verb in a transaction and returns the response: the verb's result as `render` returns it. If the
 * merchant sent the same key to the same endpoint with the same parameters within 24 hours, returns that
 * first response (contract, “Campaign”). The response is stored in the transaction of the verb.
 *
 * With `locksMerchant`, the transaction locks the merchant first, so that a repetition on another node waits
 * for the response. Only then do responses count against a daily budget of bytes: others would have to wait
 * for each other to count.
 * @throws {DomainError} `idempotency_key_reused`, `idempotency_key_in_progress`
 * @throws {BudgetExceeded} if the merchant’s responses of today are too large to store
 */
export async function runOnce<Input, Result>(
  services: OnceServices,
  { who, locksMerchant = false, ...request }: IdempotentRequest & { who: string; locksMerchant?: boolean },
  verb: Verb<Input, Result>,
  input: NoInfer<Input>,
  render: (result: NoInfer<Result>) => string = JSON.stringify,
): Promise<string> {
  const { budgets, inProgress } = services;
  const { merchantId } = request;
  const keyed = keyedRequest(request);
  // The operator's requests change other merchants' rows.
  const options = merchantId === OPERATOR_ID ? { everyNode: true } : { locksMerchant };
  const run = (verb: Verb<Input, string>): Promise<string> =>
    runVerb(services, { merchantId, who }, verb, input, options);
  if (keyed === undefined) return await run(async (context, input) => render(await verb(context, input)));
  const { key } = keyed;
  const name = `${merchantId} ${key}`;
  if (inProgress.has(name)) throw errors.idempotency_key_in_progress();
  inProgress.add(name);
  try {
    return await run(async (context, input) => {
      const { connection, now } = context;
      const stored = await findStoredResponse(connection, keyed, now);
      if (stored !== undefined) return stored;
      const expiredAt = now - LIFETIME_MS;
      await connection.run(deleteSomeExpiredResponses, { merchantId, key, expiredAt });
      const response = render(await verb(context, input));
      if (locksMerchant) {
        const amount = Buffer.byteLength(response);
        await takeFromBudget(context, budgets, { budget: BUDGET, amount });
      }
      // Another process stored a response for this key meanwhile. The error rolls this work back.
      if (!(await storeResponse(context, keyed, response))) throw errors.idempotency_key_in_progress();
      return response;
    });
  } finally {
    inProgress.delete(name);
  }
}
