import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Connection, Database } from '../../database/database.ts';
import { errors } from '../responses/errors.ts';
import { deleteSomeAnswersUpTo, findAnswerByKey, insertAnswer } from './idempotency-queries.ts';
import type { HeaderReference } from './reference.ts';

/** How long a key stands for its first answer. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** What the document says of the header. */
export const idempotencyKeyReference: HeaderReference = {
  description:
    'A key of the caller’s own making: 1 to 255 visible ASCII characters, a new one for each thing to create.',
  schema: { type: 'string', pattern: KEY.source },
  example: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
};

/**
 * The request's `Idempotency-Key`, or undefined where it has none.
 * @throws {HttpError} `invalid_parameters` for one that is not 1 to 255 visible characters
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw errors.invalid_parameters([
    { name: 'Idempotency-Key', reason: 'expected 1 to 255 visible ASCII characters' },
  ]);
}

/**
 * Runs `work` in a transaction and gives its answer; where the merchant used the same key with the same
 * input within 24 hours, gives that first answer again and runs nothing (contract, “Campaign”). The
 * answer is kept in the transaction of the work itself: there is never one without the other.
 * @throws {HttpError} `idempotency_key_reused`, `idempotency_key_in_progress`
 */
export async function runOnce(
  { database, now, underWay }: { database: Database; now: () => number; underWay: Set<string> },
  { merchantId, key, input }: { merchantId: number; key: string | undefined; input: unknown },
  work: (connection: Connection) => Promise<string>,
): Promise<string> {
  if (key === undefined) return await database.transaction(work);
  const claim = `${merchantId} ${key}`;
  if (underWay.has(claim)) throw errors.idempotency_key_in_progress();
  underWay.add(claim);
  const fingerprint = hash('sha256', JSON.stringify(input), 'buffer');
  try {
    return await database.transaction(async (connection) => {
      const tooOld = now() - LIFETIME_MS;
      const first = await connection.first(findAnswerByKey, [merchantId, key, tooOld]);
      if (first !== undefined) {
        if (!fingerprint.equals(first.fingerprint)) throw errors.idempotency_key_reused();
        return first.answer;
      }
      await connection.run(deleteSomeAnswersUpTo, [merchantId, tooOld, key, merchantId, tooOld]);
      const answer = await work(connection);
      const kept = await connection.run(insertAnswer, [merchantId, key, fingerprint, answer, now()]);
      // Another process had the same key at the same time: what this one did is undone.
      if (kept === 0) throw errors.idempotency_key_in_progress();
      return answer;
    });
  } finally {
    underWay.delete(claim);
  }
}
