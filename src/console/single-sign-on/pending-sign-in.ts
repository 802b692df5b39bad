import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../../database/database.ts';
import { hashLinkToken } from '../../users/link-token.ts';
import { insertVerification } from '../../users/queries.ts';
import type { Challenge } from './identity-provider.ts';
import { deleteExpiredVerifications, takeVerification } from './queries.ts';

export const PENDING_SECONDS = 10 * 60;

/** A browser that was sent to the provider. */
export interface PendingSignIn extends Challenge {
  /** The page to return to. */
  next: string;
}

/** Remembers it for ten minutes. `realm` is the path of its calls. */
export async function addPending(
  connection: Connection,
  { realm, pending, now }: { realm: string; pending: PendingSignIn; now: number },
): Promise<void> {
  await connection.run(deleteExpiredVerifications, { now });
  await connection.run(insertVerification, {
    id: randomUUIDv7(),
    identifierHash: hashOf(realm, pending.state),
    value: JSON.stringify(pending),
    seen: 0,
    expiresAt: now + 1000 * PENDING_SECONDS,
    now,
  });
}

/** Returns it once. Undefined if it has expired, was taken, or never was. */
export async function takePendingSignIn(
  connection: Connection,
  { realm, state, now }: { realm: string; state: string; now: number },
): Promise<PendingSignIn | undefined> {
  const taken = await connection.first(takeVerification, { identifierHash: hashOf(realm, state), now });
  return taken === undefined ? undefined : (JSON.parse(taken.value) as PendingSignIn);
}

function hashOf(realm: string, state: string): string {
  return hashLinkToken('single-sign-on', `${realm}:${state}`);
}
