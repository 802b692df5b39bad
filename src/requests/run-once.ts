import { hash } from 'node:crypto';
import type { Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { Actor } from '../database/actor.ts';
import type { Database, Reader } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type TransactionContext, type Verb, type VerbOptions } from '../database/write-context.ts';
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

export interface IdempotencyServices {
  database: Database;
  budgets: Budgets;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The keys whose first request is in progress in this process. */
  inProgress: Set<string>;
}

/** The result of a verb that `runOnce` runs. */
export interface WriteResult {
  /** The body of the response. */
  response: string;
  /** Whether the call changed anything. */
  isChange: boolean;
}

/** What a verb of `idempotent` needs in addition to a `WriteContext`. Plain data. */
export interface IdempotencyNeeds {
  /**
   * Null for a request without an `Idempotency-Key`. The response counts against the budgets `countedBy`,
   * unless they are null. The transaction then locks the merchant.
   */
  keyed: (KeyedRequest & { countedBy: Budgets | null }) | null;
}

/** Whether a response is stored for a key. If so, `runOnce` returns it or throws, and writes nothing. */
export async function hasStoredResponse(
  { database, now }: Pick<IdempotencyServices, 'database' | 'now'>,
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

export function keyedRequest({ merchantId, key, endpoint, input }: IdempotentRequest): KeyedRequest | null {
  if (key === undefined) return null;
  return { merchantId, endpoint, key, fingerprint: hash('sha256', JSON.stringify(input), 'buffer') };
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

/**
 * Stores the responses to requests of one merchant, in the transaction of their writes.
 * @throws {DomainError} `idempotency_key_in_progress` if another transaction was faster with a key
 */
export async function storeResponses(
  { connection, merchantId, now }: TransactionContext,
  responses: readonly { keyed: KeyedRequest; response: string }[],
): Promise<void> {
  const expiredAt = now - LIFETIME_MS;
  const [, ...stored] = await Promise.all([
    connection.run(deleteSomeExpiredResponses, { merchantId, expiredAt }),
    ...responses.map(({ keyed, response }) =>
      connection.run(insertResponse, { ...keyed, response, now, expiredAt }),
    ),
  ]);
  if (stored.includes(0)) throw errors.idempotency_key_in_progress();
}

/**
 * Counts stored responses against the merchant's daily budget of bytes. The transaction must have locked the
 * merchant: others would have to wait for each other to count.
 * @throws {BudgetExceeded}
 */
async function countStoredBytes(
  context: TransactionContext,
  budgets: Budgets,
  responses: readonly string[],
): Promise<void> {
  const amount = responses.reduce((sum, response) => sum + Buffer.byteLength(response), 0);
  await takeFromBudget(context, budgets, { budget: BUDGET, amount });
}

/**
 * Stores responses that count against the merchant's daily budget of bytes: see `countStoredBytes`.
 * @throws {BudgetExceeded}
 * @throws {DomainError} as `storeResponses`
 */
export async function storeCounted(
  context: TransactionContext,
  budgets: Budgets,
  responses: readonly { keyed: KeyedRequest; response: string }[],
): Promise<void> {
  if (responses.length === 0) return;
  const texts = responses.map(({ response }) => response);
  await Promise.all([countStoredBytes(context, budgets, texts), storeResponses(context, responses)]);
}

/**
 * Returns a verb that repeats the first response to a request if the merchant sent the same key to the same
 * endpoint with the same parameters within 24 hours (contract, “Campaign”). The response is stored in the
 * transaction of `verb`.
 */
export function idempotent<Input, Needs>(
  verb: Verb<Input, WriteResult, Needs>,
): Verb<Input, WriteResult, Needs & IdempotencyNeeds> {
  return async (context, input) => {
    const { connection, now, keyed } = context;
    if (keyed === null) return await verb(context, input);
    const stored = await findStoredResponse(connection, keyed, now);
    if (stored !== undefined) return { response: stored, isChange: false };
    const result = await verb(context, input);
    if (keyed.countedBy !== null) await countStoredBytes(context, keyed.countedBy, [result.response]);
    // What this throws undoes the write.
    await storeResponses(context, [{ keyed, response: result.response }]);
    return result;
  };
}

/**
 * Runs a verb of `idempotent` in a transaction. With `locksMerchant`, the transaction locks the merchant
 * first, so that a repetition on another node waits for the response. Only then do responses count against a
 * daily budget of bytes: others would have to wait for each other to count.
 * @throws {DomainError} `idempotency_key_reused`, `idempotency_key_in_progress`
 * @throws {BudgetExceeded} if the merchant’s responses of today are too large to store
 */
export async function runOnce<Input, Needs>(
  services: IdempotencyServices,
  {
    who,
    locksMerchant = false,
    usesLiveSide = false,
    ...request
  }: IdempotentRequest & { who: Actor } & Pick<VerbOptions, 'locksMerchant' | 'usesLiveSide'>,
  verb: Verb<Input, WriteResult, Needs & IdempotencyNeeds>,
  input: NoInfer<Input>,
  needs: NoInfer<Needs>,
): Promise<WriteResult> {
  const { budgets, inProgress } = services;
  const { merchantId } = request;
  const found = keyedRequest(request);
  const keyed = found === null ? null : { ...found, countedBy: locksMerchant ? budgets : null };
  // The operator's requests change other merchants' rows.
  const options = merchantId === OPERATOR_ID ? { everyNode: true } : { locksMerchant, usesLiveSide };
  const run = (): Promise<WriteResult> =>
    runVerb(services, { ...needs, merchantId, who, keyed }, verb, input, options);
  return await alone(inProgress, keyed, run);
}

/**
 * Runs the work of a request, with or without an `Idempotency-Key`.
 * @throws {DomainError} `idempotency_key_in_progress` if a request with the key is in progress here
 */
export async function alone<T>(
  inProgress: Set<string>,
  keyed: KeyedRequest | null,
  work: () => Promise<T>,
): Promise<T> {
  if (keyed === null) return await work();
  const name = `${keyed.merchantId} ${keyed.key}`;
  if (inProgress.has(name)) throw errors.idempotency_key_in_progress();
  inProgress.add(name);
  try {
    return await work();
  } finally {
    inProgress.delete(name);
  }
}
