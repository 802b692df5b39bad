import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import { hashSecret } from '../auth/storage/columns.ts';
import { deleteVerificationsOfUser, insertVerification } from './queries.ts';

const LIFETIME_MS = 72 * 60 * 60 * 1000;
const TOKEN_BYTES = 32;

/** Makes a token that sets a user's password once. The one made before it, if any, is void. */
export async function addPasswordToken(
  connection: Connection,
  user: { id: string },
  now: number,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await connection.run(deleteVerificationsOfUser, { userId: user.id });
  await connection.run(insertVerification, {
    id: randomUUIDv7(),
    identifierHash: hashPasswordToken(token),
    userId: user.id,
    expiresAt: now + LIFETIME_MS,
    now,
  });
  return token;
}

/** The hash by which such a token is stored. */
export function hashPasswordToken(token: string): string {
  // As better-auth names it.
  return hashSecret(`reset-password:${token}`);
}

/** The address of the page that takes such a token. */
export function passwordLink(config: Pick<Config, 'publicUrl' | 'host' | 'port'>, token: string): string {
  return `${consoleUrl(config)}/set-password?token=${token}`;
}

/** Where the console is, as far as the settings tell. */
function consoleUrl({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return `${publicUrl ?? `https://${reachable(host)}${port === 443 ? '' : `:${port}`}`}/console`;
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
