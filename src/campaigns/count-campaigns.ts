import type { Database } from '../database/database.ts';
import { countCampaignsAfter } from './queries.ts';

interface Counted {
  campaigns: number;
  newest: string;
  at: number;
}

const REMEMBERED_MERCHANTS = 10_000;
/** Two processes may commit in another order than that of the ids that they gave: the count is put right. */
const COUNT_AGAIN_MS = 10 * 60 * 1000;

/**
 * Tells how many campaigns merchants have. To count 300,000 takes SQLite 19 ms; a stored counter would be
 * a row that all of a merchant's requests wait for on PostgreSQL. Campaigns are only ever added, and
 * their ids sort by the time they were made at: those after the newest one counted are the new ones.
 */
export class CampaignCounter {
  readonly #database: Database;
  readonly #counted = new Map<number, Counted>();

  constructor(database: Database) {
    this.#database = database;
  }

  async count(merchantId: number): Promise<number> {
    const known = this.#counted.get(merchantId);
    const holds = known !== undefined && performance.now() - known.at < COUNT_AGAIN_MS;
    const { campaigns, newest, at } = holds ? known : { campaigns: 0, newest: '', at: performance.now() };
    const row = await this.#database.first(countCampaignsAfter, [merchantId, newest]);
    const counted = { campaigns: campaigns + (row?.campaigns ?? 0), newest: row?.newest ?? newest, at };
    if (this.#counted.size >= REMEMBERED_MERCHANTS) this.#counted.clear();
    this.#counted.set(merchantId, counted);
    return counted.campaigns;
  }
}
