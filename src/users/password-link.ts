import type { Config } from '../config.ts';
import type { Connection } from '../database/database.ts';
import { addLinkToken, hashLinkToken } from './link-token.ts';
import { deleteVerificationsOfUser } from './queries.ts';

export const LINK_LIFETIME_MS = 72 * 60 * 60 * 1000;
/** For a link that was requested on the sign-in page. */
export const RESET_LIFETIME_MS = 60 * 60 * 1000;

/** Creates a token that sets a user's password once. Invalidates earlier ones, unless it `keepsOthers`. */
export async function addPasswordToken(
  connection: Connection,
  user: { id: string },
  now: number,
  { lifetimeMs = LINK_LIFETIME_MS, keepsOthers = false }: { lifetimeMs?: number; keepsOthers?: boolean } = {},
): Promise<string> {
  if (!keepsOthers) await connection.run(deleteVerificationsOfUser, { userId: user.id });
  const link = { purpose: 'reset-password', value: user.id, expiresAt: now + lifetimeMs } as const;
  return await addLinkToken(connection, link, now);
}

export function hashPasswordToken(token: string): string {
  return hashLinkToken('reset-password', token);
}

export function passwordLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/set-password?token=${token}`;
}

/** The console's URL according to the settings. */
export function consoleUrl({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return `${publicUrl ?? `https://${reachableHost(host)}${port === 443 ? '' : `:${port}`}`}/console`;
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
