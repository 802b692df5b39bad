import { randomUUIDv7 } from 'node:crypto';
import { type Connection, statement } from '../../database/database.ts';
import { hashLinkToken } from '../../users/link-token.ts';
import { insertVerification } from '../../users/queries.ts';
import type { Challenge } from './identity-provider.ts';

export const PENDING_SECONDS = 10 * 60;

/** A browser that was sent to the provider. */
export interface PendingSignIn extends Challenge {
  /** The page to return to. */
  next: string;
}

const deleteExpired = statement<{ now: number }, never>(
  'DELETE FROM user_verifications WHERE expires_at <= :now',
);

const takePending = statement<{ identifierHash: string; now: number }, { value: string }>(
  `DELETE FROM user_verifications WHERE identifier_hash = :identifierHash AND expires_at > :now
   RETURNING value`,
);

/** Remembers it for ten minutes. `realm` is the path of its calls. */
export async function addPending(
  connection: Connection,
  { realm, pending, now }: { realm: string; pending: PendingSignIn; now: number },
): Promise<void> {
  await connection.run(deleteExpired, { now });
  await connection.run(insertVerification, {
    id: randomUUIDv7(),
    identifierHash: hashOf(realm, pending.state),
    value: JSON.stringify(pending),
    expiresAt: now + 1000 * PENDING_SECONDS,
    now,
  });
}

/** Returns it once. Undefined if it has expired, was taken, or never was. */
export async function takePendingSignIn(
  connection: Connection,
  { realm, state, now }: { realm: string; state: string; now: number },
): Promise<PendingSignIn | undefined> {
  const taken = await connection.first(takePending, { identifierHash: hashOf(realm, state), now });
  return taken === undefined ? undefined : (JSON.parse(taken.value) as PendingSignIn);
}

function hashOf(realm: string, state: string): string {
  return hashLinkToken('single-sign-on', `${realm}:${state}`);
}
