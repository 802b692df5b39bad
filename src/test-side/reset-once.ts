import { findStoredResponse, keyedRequest, storeResponse } from '../requests/run-once.ts';
import { type ResetServices, resetTestSide } from './reset.ts';

interface ResetRequest {
  side: number;
  samples: boolean;
  /** Its `Idempotency-Key`. */
  key: string | undefined;
}

const RESET_ENDPOINT = 'POST /test/reset.json';

/**
 * Repeats the last response if the last reset had the same key. `runOnce` cannot, because a reset takes
 * several transactions, and deletes the responses of earlier keys.
 * @throws {DomainError} `idempotency_key_reused`, `reset_superseded`
 */
export async function resetOnce(
  services: ResetServices,
  { side, samples, key }: ResetRequest,
): Promise<string> {
  const { database, now } = services;
  const request = keyedRequest({ merchantId: side, key, endpoint: RESET_ENDPOINT, input: { samples } });
  if (request !== undefined) {
    const stored = await findStoredResponse(database, request, now());
    if (stored !== undefined) return stored;
  }
  const result = await resetTestSide(services, side, samples, async (connection, done) => {
    if (request !== undefined) await storeResponse(connection, request, JSON.stringify(done), now());
  });
  return JSON.stringify(result);
}
