import type { FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import type { RequestHeader } from './declaration.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

export const idempotencyKeyHeader: RequestHeader = {
  description: 'A unique key for each write, chosen by the client: 1 to 255 visible ASCII characters.',
  schema: { type: 'string', pattern: KEY.source },
  example: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
};

/**
 * Returns the request's `Idempotency-Key`, or undefined if it has none.
 * @throws {DomainError} `invalid_parameters` for a key that is not 1 to 255 visible ASCII characters
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw errors.invalid_parameters([
    { field: 'Idempotency-Key', reason: 'expected 1 to 255 visible ASCII characters' },
  ]);
}
