import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader } from '../database/database.ts';
import { countCampaignsAfter, findCampaignAfter } from './queries.ts';

interface Counted {
  campaigns: number;
  newest: string;
  at: number;
}

const REMEMBERED_MERCHANTS = 10_000;
/** Two processes may commit in another order than that of the ids that they gave: the count is put right. */
const COUNT_AGAIN_MS = 10 * 60 * 1000;
/** Other requests are served between steps: to count a million at once takes SQLite 98 ms. */
const STEP = 10_000;

/**
 * Tells how many campaigns merchants have. A stored counter would be a row that all of a merchant's requests
 * wait for on PostgreSQL. Campaigns are only ever added, and their ids sort by the time they were created at:
 * those after the newest one counted are the new ones.
 */
export class CampaignCounter {
  readonly #database: Database;
  readonly #counted = new Map<number, Counted>();
  /** Counts under way: requests at the same time share one. */
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
    const known = this.#counted.get(merchantId);
    const holds = known !== undefined && performance.now() - known.at < COUNT_AGAIN_MS;
    const { campaigns, newest, at } = holds ? known : { campaigns: 0, newest: '', at: performance.now() };
    const added = await countAfter(this.#database, merchantId, newest);
    const counted = { campaigns: campaigns + added.campaigns, newest: added.newest, at };
    if (this.#counted.size >= REMEMBERED_MERCHANTS) this.#counted.clear();
    this.#counted.set(merchantId, counted);
    return counted.campaigns;
  }
}

async function countAfter(
  database: Pick<Reader, 'first'>,
  merchantId: number,
  after: string,
): Promise<{ campaigns: number; newest: string }> {
  let campaigns = 0;
  let newest = after;
  for (;;) {
    const last = await database.first(findCampaignAfter, [merchantId, newest, STEP - 1]);
    if (last === undefined) break;
    campaigns += STEP;
    newest = last.id;
    await nextTurn();
  }
  const rest = await database.first(countCampaignsAfter, [merchantId, newest]);
  return { campaigns: campaigns + (rest?.campaigns ?? 0), newest: rest?.newest ?? newest };
}
