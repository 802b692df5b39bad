import type { Caller } from '../../api-keys/verify-token.ts';
import { countByName } from '../../budgets/count-by-name.ts';
import { type AddToCount, SharedLimit } from '../../budgets/shared-limit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { LookupBudget } from './lookup-budget.ts';
import { addRequestsOfKey } from './queries.ts';

type CallingKey = Pick<Caller, 'merchantId' | 'keyId'>;

/** Limits on requests per minute. */
export interface RateLimits {
  byKey: SharedLimit<CallingKey>;
  /** All requests of a network, as returned by `networkOf`. */
  byAddress: SharedLimit;
  /** Requests with a rejected token from one network. */
  failuresByAddress: SharedLimit;
  /** Lookups of unknown tokens for a network that has reached `failuresByAddress`, per process. */
  lookupBudget: LookupBudget;
}

const MINUTE_MS = 60_000;

/** All processes on one database share their counts. */
export function createRateLimits(
  database: Database,
  config: Pick<Config, 'rateLimit' | 'addressRateLimit' | 'authFailureLimit'>,
  now: () => number,
  onError: (error: unknown) => void,
): RateLimits {
  const common = { now, onError };
  const named = countByName(database, MINUTE_MS);
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
    lookupBudget: new LookupBudget(now),
  };
}

function countByKey(database: Database): AddToCount<CallingKey> {
  return async ({ merchantId, keyId }, minute, requests) => {
    const row = await database.transaction(
      (connection) => connection.first(addRequestsOfKey, { merchantId, keyId, minute, requests }),
      { merchantId },
    );
    return row?.requests ?? 0;
  };
}
