import type { Config } from '../config.ts';
import type { Connection } from '../database/database.ts';
import { addLinkToken, hashLinkToken, linkWithToken } from './link-token.ts';
import { deleteLinksOfInvitation, deleteVerificationsOfUser } from './queries.ts';

export const LINK_LIFETIME_MS = 72 * 60 * 60 * 1000;
/** For a link that was requested on the sign-in page. */
export const RESET_LIFETIME_MS = 60 * 60 * 1000;

interface LinkOptions {
  lifetimeMs?: number;
  /** Whether earlier links stay valid. */
  keepsOthers?: boolean;
}

interface InvitationOptions extends LinkOptions {
  /** Whether an owner sees the link, who then knows the way to a password that it sets. */
  isSeen?: boolean;
}

/** Creates a token that sets a user's password once. Invalidates earlier ones, unless it `keepsOthers`. */
export async function addPasswordToken(
  connection: Connection,
  user: { id: string },
  now: number,
  { lifetimeMs = LINK_LIFETIME_MS, keepsOthers = false }: LinkOptions = {},
): Promise<string> {
  if (!keepsOthers) await connection.run(deleteVerificationsOfUser, { userId: user.id });
  const link = { purpose: 'reset-password', value: user.id, expiresAt: now + lifetimeMs } as const;
  return await addLinkToken(connection, link, now);
}

/**
 * Creates a token that accepts an invitation once: by setting a password, if the person has no account by
 * then, and otherwise in a session of the person. Invalidates earlier tokens, unless it `keepsOthers`.
 */
export async function addInvitationToken(
  connection: Connection,
  { membership_id: membershipId }: { membership_id: string },
  now: number,
  { lifetimeMs = LINK_LIFETIME_MS, keepsOthers = false, isSeen = false }: InvitationOptions = {},
): Promise<string> {
  if (!keepsOthers) await connection.run(deleteLinksOfInvitation, { membershipId });
  const link = { purpose: 'invitation', value: membershipId, expiresAt: now + lifetimeMs, isSeen } as const;
  return await addLinkToken(connection, link, now);
}

export function hashInvitationToken(token: string): string {
  return hashLinkToken('invitation', token);
}

export function hashPasswordToken(token: string): string {
  return hashLinkToken('reset-password', token);
}

export function passwordLink(consoleUrl: string, token: string): string {
  return linkWithToken(`${consoleUrl}/set-password`, token);
}

/** The page on which a person who sets no password accepts an invitation. */
export function joinLink(consoleUrl: string, token: string): string {
  return linkWithToken(`${consoleUrl}/join`, token);
}

/** The console's URL according to the settings. */
export function consoleUrl({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return `${publicUrl ?? `https://${reachableHost(host)}${port === 443 ? '' : `:${port}`}`}/console`;
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
