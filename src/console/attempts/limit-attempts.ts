import { hash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { networksOf } from '../../http/gate/networks.ts';
import { consoleErrors } from '../errors.ts';
import { countAttempt, deleteOldCounts } from './queries.ts';

/** A maximum number of attempts in a time window. */
export interface Limit {
  /** Has its own counts. The subject completes it: `sign-in from 192.0.2.1`. */
  name: string;
  attempts: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A network is an IPv4 address or IPv6 /64; wider networks get a multiple (`networksOf`). */
export const limits = {
  signInByNetwork: { name: 'sign-in from', attempts: 10, windowMs: MINUTE_MS },
  // An attacker can use up another user's attempts: far above what a user needs, but too low for guessing.
  signInByAccount: { name: 'sign-in to', attempts: 50, windowMs: HOUR_MS },
  /** Sign-in pages ask for a challenge when they open, so that browsers can offer passkeys. */
  challengeByNetwork: { name: 'passkey challenge from', attempts: 60, windowMs: MINUTE_MS },
  passkey: { name: 'passkey', attempts: 50, windowMs: HOUR_MS },
  codeByNetwork: { name: 'code from', attempts: 10, windowMs: MINUTE_MS },
  /** A code is valid for one sign-in. The window is longer than its lifetime. */
  codeOnce: { name: 'code of', attempts: 1, windowMs: 2 * MINUTE_MS },
  linkByNetwork: { name: 'link from', attempts: 10, windowMs: MINUTE_MS },
  passwordByAccount: { name: 'password of', attempts: 10, windowMs: 15 * MINUTE_MS },
  passwordLinkByNetwork: { name: 'password link from', attempts: 10, windowMs: HOUR_MS },
  /** Limits the mails that others can cause for a user. A mailed link works for longer: an hour. */
  passwordLinkByAccount: { name: 'password link to', attempts: 1, windowMs: 20 * MINUTE_MS },
  /** Each switch is an entry in the audit log of a shop. */
  switchByAccount: { name: 'switch of', attempts: 60, windowMs: 10 * MINUTE_MS },
  /** Limits the mails to addresses that owners choose. */
  invitationByMerchant: { name: 'invitation of', attempts: 50, windowMs: 24 * HOUR_MS },
  /** Limits the mails that a client with many networks can cause to strangers. */
  registrationLinks: { name: 'registration links to', attempts: 1_000, windowMs: 24 * HOUR_MS },
  registrationByNetwork: { name: 'registration from', attempts: 5, windowMs: HOUR_MS },
  /** Separate from `passwordLinkByAccount`, so that neither kind of mail prevents the other. */
  registrationLinkByAccount: { name: 'registration link to', attempts: 1, windowMs: 20 * MINUTE_MS },
  /** Limits the shop names that the owner of a link can try. */
  registrationByAccount: { name: 'registration of', attempts: 20, windowMs: HOUR_MS },
} satisfies Record<string, Limit>;

/** @throws {DomainError} 429 if the limit is exceeded; the attempt counts nevertheless */
export async function limitAttempts(services: AttemptServices, limit: Limit, subject: string): Promise<void> {
  const seconds = await takeAttempt(services, limit, subject);
  if (seconds > 0) throw consoleErrors.too_many_attempts(seconds);
}

/**
 * Counts an attempt for each network that contains the address, then for the account. An attempt above one
 * network's limit counts neither for wider networks nor for the account, so one subscriber cannot use up
 * their limits.
 * @throws {DomainError} 429 if a limit is exceeded; the attempt counts nevertheless
 */
export async function limitNetworks(
  services: AttemptServices,
  limit: Limit,
  address: string,
  account?: Count,
): Promise<void> {
  const counts: Count[] = networksOf(address).map(({ name, weight }) => ({
    limit: { ...limit, attempts: weight * limit.attempts },
    subject: name,
  }));
  if (account !== undefined) counts.push(account);
  const seconds = await takeAttempts(services, counts);
  if (seconds > 0) throw consoleErrors.too_many_attempts(seconds);
}

/** Counts an attempt. Resolves to the seconds to wait if the limit is exceeded, else 0. */
export async function takeAttempt(services: AttemptServices, limit: Limit, subject: string): Promise<number> {
  return await takeAttempts(services, [{ limit, subject }]);
}

async function takeAttempts({ database, now }: AttemptServices, counts: readonly Count[]): Promise<number> {
  const time = now();
  return await database.transaction(async (connection) => {
    await connection.run(deleteOldCounts, { now: time });
    for (const { limit, subject } of counts) {
      const name = hash('sha256', `${limit.name} ${subject}`, 'buffer');
      const row = await connection.first(countAttempt, { name, resetsAt: time + limit.windowMs, now: time });
      if (row !== undefined && row.attempts > limit.attempts) return Math.ceil((row.resets_at - time) / 1000);
    }
    return 0;
  });
}

export interface Count {
  limit: Limit;
  subject: string;
}

interface AttemptServices {
  database: Database;
  now: () => number;
}
