import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connection } from '../../database/database.ts';
import { hashLinkToken } from '../../users/link-token.ts';
import { insertVerification } from '../../users/queries.ts';
import type { Realm } from '../auth/realm.ts';
import { deleteExpiredVerifications, takeVerification } from '../single-sign-on/queries.ts';
import { readStateCookie, setStateCookie } from '../single-sign-on/state-cookie.ts';

export const CHALLENGE_SECONDS = 5 * 60;

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** What a challenge is for: a sign-in, or adding a passkey in a session. */
type ChallengeUse = { for: 'sign-in' } | { for: 'new-passkey'; sessionId: string };

/** Of one browser, for its realm. */
interface ChallengeName {
  /** The path of the realm's calls. */
  realm: string;
  /** The value of the browser's cookie. */
  browser: string;
  challenge: string;
}

/** Returns a value that nobody can guess, as base64url. */
export function newChallenge(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Returns the value of the browser's cookie, which it sets for as long as a challenge is valid. The tabs of a
 * browser share it, so that none makes the challenge of another one invalid.
 */
export function bindToBrowser(
  realm: Pick<Realm, 'cookiePrefix'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const value = browserOf(realm, request) ?? newChallenge();
  setStateCookie(realm, reply, { purpose: 'passkey', value, seconds: CHALLENGE_SECONDS });
  return value;
}

/** Undefined for a browser without the cookie. */
export function browserOf(realm: Pick<Realm, 'cookiePrefix'>, request: FastifyRequest): string | undefined {
  const value = readStateCookie(realm, request, 'passkey');
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}

/** Remembers a challenge for five minutes. */
export async function addChallenge(
  connection: Connection,
  { name, use, now }: { name: ChallengeName; use: ChallengeUse; now: number },
): Promise<void> {
  await connection.run(deleteExpiredVerifications, { now });
  await connection.run(insertVerification, {
    id: randomUUIDv7(),
    identifierHash: hashOf(name),
    value: JSON.stringify(use),
    seen: 0,
    expiresAt: now + 1000 * CHALLENGE_SECONDS,
    now,
  });
}

/** Returns it once. Undefined if it has expired, was taken, is of another browser, or never was. */
export async function takeChallenge(
  connection: Connection,
  { name, now }: { name: ChallengeName; now: number },
): Promise<ChallengeUse | undefined> {
  const taken = await connection.first(takeVerification, { identifierHash: hashOf(name), now });
  return taken === undefined ? undefined : (JSON.parse(taken.value) as ChallengeUse);
}

function hashOf({ realm, browser, challenge }: ChallengeName): string {
  return hashLinkToken('passkey', `${realm}:${browser}:${challenge}`);
}
