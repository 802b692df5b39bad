import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader } from '../database/database.ts';
import { countCampaignsAfter, findCampaignAfter } from './queries.ts';

/** A cached count. */
interface Count {
  campaigns: number;
  /** The id of the newest campaign counted; '' if there is none. */
  newest: string;
  /** When counting began. */
  at: number;
}

const MAX_CACHED_MERCHANTS = 10_000;
/** Two processes may commit campaigns in a different order than their ids. A full count corrects this. */
const FULL_COUNT_MS = 10 * 60 * 1000;
/** Other requests are served between steps: counting a million campaigns in one step takes SQLite 98 ms. */
const STEP = 10_000;

/**
 * Counts the campaigns of merchants. There is no stored counter, because on PostgreSQL a merchant's requests would wait
 * for each other to update it. Campaigns are never deleted and their ids sort by the time of creation, so the campaigns
 * after the newest one counted are the new ones.
 */
export class CampaignCounter {
  readonly #database: Database;
  readonly #counts = new Map<number, Count>();
  /** Counts in progress, by merchant: concurrent requests share one. */
  readonly #counting = new Map<number, Promise<number>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async count(merchantId: number): Promise<number> {
    let counting = this.#counting.get(merchantId);
    if (counting === undefined) {
      counting = this.#countNew(merchantId).finally(() => this.#counting.delete(merchantId));
      this.#counting.set(merchantId, counting);
    }
    return await counting;
  }

  async #countNew(merchantId: number): Promise<number> {
    const cached = this.#counts.get(merchantId);
    const isFresh = cached !== undefined && performance.now() - cached.at < FULL_COUNT_MS;
    const { campaigns, newest, at } = isFresh ? cached : { campaigns: 0, newest: '', at: performance.now() };
    const added = await countAfter(this.#database, merchantId, newest);
    const count = { campaigns: campaigns + added.campaigns, newest: added.newest, at };
    if (this.#counts.size >= MAX_CACHED_MERCHANTS) this.#counts.clear();
    this.#counts.set(merchantId, count);
    return count.campaigns;
  }
}

async function countAfter(
  database: Pick<Reader, 'first'>,
  merchantId: number,
  id: string,
): Promise<Omit<Count, 'at'>> {
  let campaigns = 0;
  let after = id;
  for (;;) {
    const last = await database.first(findCampaignAfter, { merchantId, after, offset: STEP - 1 });
    if (last === undefined) break;
    campaigns += STEP;
    after = last.id;
    await nextTurn();
  }
  const rest = await database.first(countCampaignsAfter, { merchantId, after });
  return { campaigns: campaigns + (rest?.campaigns ?? 0), newest: rest?.newest ?? after };
}
