import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import { addLinkToken, hashLinkToken, linkWithToken } from '../../users/link-token.ts';
import { consoleUrl } from '../../users/password-link.ts';
import { deleteExpiredLinks } from './queries.ts';

const LIFETIME_MS = 60 * 60 * 1000;

/** Creates a token that confirms an email and registers a shop once. Earlier tokens stay valid. */
export async function addRegistrationToken(
  connection: Connection,
  email: string,
  now: number,
): Promise<string> {
  // Strangers can request many links that nobody opens.
  await connection.run(deleteExpiredLinks, { now });
  const link = { purpose: 'registration', value: email, expiresAt: now + LIFETIME_MS } as const;
  return await addLinkToken(connection, link, now);
}

export function hashRegistrationToken(token: string): string {
  return hashLinkToken('registration', token);
}

export function registrationLink(config: Pick<Config, 'publicUrl' | 'host' | 'port'>, token: string): string {
  return linkWithToken(`${consoleUrl(config)}/finish-registration`, token);
}
