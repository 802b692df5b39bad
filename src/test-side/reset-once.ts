import { findStoredResponse, keyedRequest } from '../requests/run-once.ts';
import { type ResetServices, resetTestSide } from './reset.ts';

interface ResetRequest {
  side: number;
  who: string;
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
  { side, who, samples, key }: ResetRequest,
): Promise<string> {
  const { database, now } = services;
  const request = keyedRequest({ merchantId: side, key, endpoint: RESET_ENDPOINT, input: { samples } });
  if (request !== null) {
    const stored = await findStoredResponse(database, request, now());
    if (stored !== undefined) return stored;
  }
  return JSON.stringify(await resetTestSide(services, { merchantId: side, who }, { samples, request }));
}
