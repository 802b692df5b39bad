import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { CampaignStatus } from './campaign.ts';
import { type CountStep, countCampaignsAfter } from './queries.ts';

export interface CampaignCounts {
  total: number;
  byStatus: Readonly<Record<CampaignStatus, number>>;
  /** Differs after every change of a status. */
  changes: number;
  /** Differs after every count of all campaigns. */
  recount: number;
  /** No campaign will be created with an id before this one. */
  settled: string;
}

/** Campaigns that need not be counted again. */
interface Settled {
  campaigns: number;
  /** The newest one's id; '' if there is none. */
  newest: string;
  /** The merchant's epoch at the count. A reset deletes campaigns and starts another epoch. */
  epoch: number | undefined;
  recount: number;
  /** When the count of all campaigns began. */
  at: number;
}

const MAX_CACHED_MERCHANTS = 10_000;
/** Campaigns commit in another order than their ids, but none this late, and clocks differ by less. */
const SETTLED_AFTER_MS = 60_000;
/** Corrects counts after a machine's clock was wrong. */
const RECOUNT_MS = 10 * 60 * 1000;
/** Other requests run between steps: SQLite takes over 100 ms to count a million campaigns at once. */
const STEP = 5_000;

/**
 * On PostgreSQL, a merchant's requests would wait for each other to update a stored counter of all campaigns.
 * Only resets delete campaigns, and ids sort by time, so only the last minute's campaigns are counted each
 * time. Campaigns that are not active have stored counters, which are updated with the status.
 */
export class CampaignCounter {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #settled = new Map<number, Settled>();
  /** Counts of all campaigns in progress, by merchant: concurrent requests share one. */
  readonly #recounting = new Map<number, Promise<unknown>>();
  #recounts = 0;

  /** `now` is the clock that campaigns' ids are from. */
  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** The counts are from one state of the data, with every commit before the call. */
  async count(merchantId: number): Promise<CampaignCounts> {
    const cached = this.#settled.get(merchantId);
    if (cached !== undefined && performance.now() - cached.at < RECOUNT_MS) {
      const counts = await this.#countFrom(merchantId, cached);
      if (counts !== undefined) return counts;
      this.#settled.delete(merchantId);
    }
    let recounting = this.#recounting.get(merchantId);
    if (recounting === undefined) {
      this.#recounts += 1;
      const none = {
        campaigns: 0,
        newest: '',
        epoch: undefined,
        recount: this.#recounts,
        at: performance.now(),
      };
      recounting = this.#countFrom(merchantId, none).finally(() => this.#recounting.delete(merchantId));
      this.#recounting.set(merchantId, recounting);
    }
    await recounting;
    // Its last step may have been before this call.
    return await this.count(merchantId);
  }

  /** Resolves to undefined if campaigns that need not be counted again were deleted. */
  async #countFrom(merchantId: number, from: Settled): Promise<CampaignCounts | undefined> {
    const settled = firstIdAt(this.#now() - SETTLED_AFTER_MS);
    let total = from.campaigns;
    let after = from.newest;
    let counted = from;
    for (;;) {
      const step = await this.#database.first(countCampaignsAfter, {
        merchantId,
        after,
        settled,
        limit: STEP,
      });
      if (step === undefined) throw new Error('count(*) returned no row');
      if (counted.epoch === undefined) counted = { ...counted, epoch: step.epoch };
      if (step.epoch !== counted.epoch) return undefined;
      if (step.newest_settled !== null) {
        counted = { ...counted, campaigns: total + step.settled_campaigns, newest: step.newest_settled };
      }
      total += step.campaigns;
      after = step.newest ?? after;
      if (step.campaigns < STEP) {
        this.#remember(merchantId, counted);
        return { total, ...ofStatuses(total, step), recount: from.recount, settled };
      }
      await nextTurn();
    }
  }

  #remember(merchantId: number, settled: Settled): void {
    if (this.#settled.size >= MAX_CACHED_MERCHANTS) this.#settled.clear();
    this.#settled.set(merchantId, settled);
  }
}

function ofStatuses(total: number, step: CountStep): Pick<CampaignCounts, 'byStatus' | 'changes'> {
  const paused = step.paused ?? 0;
  const expired = step.expired ?? 0;
  const exhausted = step.exhausted ?? 0;
  const byStatus = {
    Active: Math.max(0, total - paused - expired - exhausted),
    Paused: paused,
    Expired: expired,
    'Lifetime Budget Exhausted': exhausted,
  };
  return { byStatus, changes: step.changes ?? 0 };
}

/** Sorts before the UUIDs of version 7 from a time on, and after earlier ones. */
function firstIdAt(milliseconds: number): string {
  const digits = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
