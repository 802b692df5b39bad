import { hash } from 'node:crypto';
import type { Caller } from '../../api-keys/verify-token.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { addByName, addRequestsOfKey, deleteEndedCounts } from './queries.ts';
import { type AddToCount, SharedLimit } from './shared-limit.ts';

/** Every limit on how much may be asked in a minute. */
export interface Limits {
  /** All requests of a key. */
  byKey: SharedLimit<Caller>;
  /** All requests of a network, as `networkOf` names it. */
  byAddress: SharedLimit;
  /** Tokens that were refused, of a network. */
  failuresByAddress: SharedLimit;
}

const MINUTE_MS = 60_000;

/** The limits of the settings, counted in common by all processes on the database. */
export function createLimits(
  database: Database,
  config: Pick<Config, 'rateLimit' | 'addressRateLimit' | 'authFailureLimit'>,
  now: () => number,
  onError: (error: unknown) => void,
): Limits {
  const common = { now, onError };
  const named = countByName(database);
  return {
    byKey: new SharedLimit({ name: 'key', limit: config.rateLimit, add: countByKey(database), ...common }),
    byAddress: new SharedLimit({
      name: 'address',
      limit: config.addressRateLimit,
      add: (address, ...counted) => named(`requests from ${address}`, ...counted),
      ...common,
    }),
    failuresByAddress: new SharedLimit({
      name: 'failed-authentication',
      limit: config.authFailureLimit,
      add: (address, ...counted) => named(`failures from ${address}`, ...counted),
      ...common,
    }),
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

function countByName(database: Database): AddToCount<string> {
  let sweptIn = 0;
  return async (name, minute, requests) => {
    const key = hash('sha256', name, 'buffer');
    const sweep = minute !== sweptIn;
    sweptIn = minute;
    const row = await database.transaction(async (connection) => {
      if (sweep) await connection.run(deleteEndedCounts, [minute * MINUTE_MS]);
      return await connection.first(addByName, [key, requests, (minute + 1) * MINUTE_MS]);
    });
    return row?.requests ?? 0;
  };
}
