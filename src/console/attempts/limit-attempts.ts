import { hash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { networksOf } from '../../http/gate/networks.ts';
import { refusals } from '../errors.ts';
import { countAttempt, deleteOldCounts } from './queries.ts';

/** So many attempts in so long. */
export interface Limit {
  /** What is attempted: each has its own count. */
  name: string;
  attempts: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * By the network that a request comes from, or by the account that it is about. Those by network are for one
 * subscriber: an IPv4 address or an IPv6 /64. Wider networks have a multiple (`networksOf`).
 */
export const limits = {
  signInByNetwork: { name: 'sign-in from', attempts: 10, windowMs: MINUTE_MS },
  // Who knows an address can use its attempts up, so there are more than a person needs and fewer than guessing does.
  signInByAccount: { name: 'sign-in to', attempts: 50, windowMs: HOUR_MS },
  codeByNetwork: { name: 'code from', attempts: 10, windowMs: MINUTE_MS },
  /** A code is good for one sign-in, for as long as it is good at all. */
  codeOnce: { name: 'code of', attempts: 1, windowMs: 2 * MINUTE_MS },
  linkByNetwork: { name: 'link from', attempts: 10, windowMs: MINUTE_MS },
  passwordByAccount: { name: 'password of', attempts: 10, windowMs: 15 * MINUTE_MS },
  registrationByNetwork: { name: 'registration from', attempts: 5, windowMs: HOUR_MS },
} satisfies Record<string, Limit>;

/**
 * Counts an attempt, for all processes on the database together.
 * @throws {HttpError} 429 for one too many; it counts too
 */
export async function limitAttempts(services: Services, limit: Limit, subject: string): Promise<void> {
  const seconds = await takeAttempt(services, limit, subject);
  if (seconds > 0) throw refusals.too_many_attempts(seconds);
}

/**
 * Counts an attempt from an address, for each network that it belongs to. One that is too many for a network
 * does not count for the wider ones: a single subscriber cannot use up their allowance.
 * @throws {HttpError} 429 for one too many; it counts too
 */
export async function limitNetworks(services: Services, limit: Limit, address: string): Promise<void> {
  const counts = networksOf(address).map(({ name, allowance }) => ({
    limit: { ...limit, attempts: allowance * limit.attempts },
    subject: name,
  }));
  const seconds = await takeAttempts(services, counts);
  if (seconds > 0) throw refusals.too_many_attempts(seconds);
}

/** Counts an attempt; the seconds to wait where it is one too many, else 0. */
export async function takeAttempt(services: Services, limit: Limit, subject: string): Promise<number> {
  return await takeAttempts(services, [{ limit, subject }]);
}

/** Counts an attempt for each subject up to the first for which it is one too many. */
async function takeAttempts(
  { database, now }: Services,
  counts: readonly { limit: Limit; subject: string }[],
): Promise<number> {
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

interface Services {
  database: Database;
  now: () => number;
}
