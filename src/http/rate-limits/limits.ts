import { hash } from 'node:crypto';
import type { Caller } from '../../api-keys/verify-token.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { type AddToCount, LeasedLimit } from './leased-limit.ts';
import { LookupBudget } from './lookup-budget.ts';
import { addByName, addRequestsOfKey, deleteEndedCounts } from './queries.ts';

/** Every limit on how much may be asked in a minute. */
export interface RateLimits {
  /** All requests of a key. */
  byKey: LeasedLimit<Caller>;
  /** All requests of a network, as `networkOf` names it. */
  byAddress: LeasedLimit;
  /** Tokens that were refused, of a network. */
  failuresByAddress: LeasedLimit;
  /** Unknown tokens that are looked up for a network past that limit; each process has a budget of its own. */
  lookupBudget: LookupBudget;
}

const MINUTE_MS = 60_000;

/** The limits of the settings, counted in common by all processes on the database. */
export function createRateLimits(
  database: Database,
  config: Pick<Config, 'rateLimit' | 'addressRateLimit' | 'authFailureLimit'>,
  now: () => number,
  onError: (error: unknown) => void,
): RateLimits {
  const common = { now, onError };
  const named = countByName(database, MINUTE_MS);
  return {
    byKey: new LeasedLimit({ name: 'key', limit: config.rateLimit, add: countByKey(database), ...common }),
    byAddress: new LeasedLimit({
      name: 'address',
      limit: config.addressRateLimit,
      add: (address, ...counted) => named(`requests from ${address}`, ...counted),
      ...common,
    }),
    failuresByAddress: new LeasedLimit({
      name: 'failed-authentication',
      limit: config.authFailureLimit,
      add: (address, ...counted) => named(`failures from ${address}`, ...counted),
      ...common,
    }),
    lookupBudget: new LookupBudget(now),
  };
}

function countByKey(database: Database): AddToCount<Caller> {
  return async ({ merchantId, keyId }, minute, requests) => {
    const row = await database.transaction((connection) =>
      connection.first(addRequestsOfKey, [merchantId, keyId, minute, requests]),
    );
    return row?.requests ?? 0;
  };
}

/** Counts by name in windows of this length, and removes the counts of windows that have ended. */
export function countByName(database: Database, windowMs: number): AddToCount<string> {
  let sweptIn = 0;
  return async (name, window, count) => {
    const key = hash('sha256', name, 'buffer');
    const sweep = window !== sweptIn;
    sweptIn = window;
    const row = await database.transaction(async (connection) => {
      if (sweep) await connection.run(deleteEndedCounts, [window * windowMs]);
      return await connection.first(addByName, [key, count, (window + 1) * windowMs]);
    });
    return row?.requests ?? 0;
  };
}
