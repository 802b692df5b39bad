import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Connection, Database } from '../../database/database.ts';
import { errors } from '../responses/errors.ts';
import { deleteSomeExpiredResponses, findResponseByKey, insertResponse } from './idempotency-queries.ts';
import type { HeaderReference } from './reference.ts';

/** How long the response of a key is stored. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Describes the `Idempotency-Key` header of requests. */
export const idempotencyKeyReference: HeaderReference = {
  description: 'A unique key for each write, chosen by the client: 1 to 255 visible ASCII characters.',
  schema: { type: 'string', pattern: KEY.source },
  example: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
};

/**
 * Returns the request's `Idempotency-Key`, or undefined if it has none.
 * @throws {HttpError} `invalid_parameters` for a key that is not 1 to 255 visible ASCII characters
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw errors.invalid_parameters([
    { name: 'Idempotency-Key', reason: 'expected 1 to 255 visible ASCII characters' },
  ]);
}

/** What a request has to have in common with the first one with its key. */
interface IdempotentRequest {
  merchantId: number;
  key: string | undefined;
  endpoint: string;
  input: unknown;
}

/**
 * Runs `work` in a transaction and returns its response. If the merchant sent the same key to the same endpoint with the
 * same input within 24 hours, returns that first response instead (contract, “Campaign”). `endpoint` is the method and
 * path, such as `POST /campaigns.json`. The response is stored in the transaction of
 * the work, so neither is committed without the other.
 * @throws {HttpError} `idempotency_key_reused`, `idempotency_key_in_progress`
 */
export async function runOnce(
  { database, now, inProgress }: { database: Database; now: () => number; inProgress: Set<string> },
  { merchantId, key, endpoint, input }: IdempotentRequest,
  work: (connection: Connection) => Promise<string>,
): Promise<string> {
  if (key === undefined) return await database.transaction(work, { merchantId });
  const claim = `${merchantId} ${key}`;
  if (inProgress.has(claim)) throw errors.idempotency_key_in_progress();
  inProgress.add(claim);
  const fingerprint = hash('sha256', JSON.stringify(input), 'buffer');
  try {
    const runAndStore = async (connection: Connection): Promise<string> => {
      const expiredAt = now() - LIFETIME_MS;
      const stored = await connection.first(findResponseByKey, { merchantId, key, expiredAt });
      if (stored !== undefined) {
        if (stored.endpoint !== endpoint || !fingerprint.equals(stored.fingerprint))
          throw errors.idempotency_key_reused();
        return stored.answer;
      }
      await connection.run(deleteSomeExpiredResponses, { merchantId, key, expiredAt });
      const response = await work(connection);
      const row = { merchantId, key, endpoint, fingerprint, response, now: now() };
      const inserted = await connection.run(insertResponse, row);
      // Another process stored a response for this key meanwhile. The error rolls this work back.
      if (inserted === 0) throw errors.idempotency_key_in_progress();
      return response;
    };
    return await database.transaction(runAndStore, { merchantId });
  } finally {
    inProgress.delete(claim);
  }
}
