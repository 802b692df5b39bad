import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import { insertVerification } from './queries.ts';

/** `reset-password` is better-auth's name. */
export type LinkPurpose =
  | 'reset-password'
  | 'invitation'
  | 'registration'
  | 'set-up'
  | 'single-sign-on'
  | 'passkey';

const TOKEN_BYTES = 32;

interface NewLink {
  purpose: LinkPurpose;
  value: string;
  expiresAt: number;
  /** Whether an owner sees the link, which is for somebody else. */
  isSeen?: boolean;
}

/** Creates the token of a link that stores a value, such as a user's id, until `expiresAt`. */
export async function addLinkToken(
  connection: Connection,
  { purpose, value, expiresAt, isSeen = false }: NewLink,
  now: number,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const identifierHash = hashLinkToken(purpose, token);
  const seen = isSeen ? 1 : 0;
  await connection.run(insertVerification, {
    id: randomUUIDv7(),
    identifierHash,
    value,
    seen,
    expiresAt,
    now,
  });
  return token;
}

/** Returns the link to a page that reads the token from the fragment, which proxies neither get nor log. */
export function linkWithToken(page: string, token: string): string {
  return `${page}#token=${token}`;
}

/** Returns what is stored instead of a secret with enough entropy to need no salt. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Returns what is stored instead of a token. A token works for one purpose only. */
export function hashLinkToken(purpose: LinkPurpose, token: string): string {
  // better-auth's identifier.
  return hashSecret(`${purpose}:${token}`);
}
