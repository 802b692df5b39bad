import { SERVICE } from '../../audit/record-audit.ts';
import { type Database, DatabaseUnavailable } from '../../database/database.ts';
import { listMerchantIds } from '../../database/merchant-queries.ts';
import { runVerb } from '../../database/write-context.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { listExpired, listMerchantsWithExpired } from './queries.ts';
import { releaseExpired } from './report-outcomes.ts';

const MERCHANTS_AT_ONCE = 100;
const PLACEMENTS_AT_ONCE = 100;
/** After that, it is the turn of the next merchant. */
const PLACEMENTS_PER_TURN = 1_000;
/** Less than the ID of any merchant. */
const START = Number.MIN_SAFE_INTEGER;

interface Services {
  database: Database;
  now: () => number;
  lowBudget: number;
}

/** Releases placements whose outcomes were not reported before they expired. Merchants take turns. */
export class ExpiredPlacements {
  readonly #services: Services;
  /** The merchant with the last turn. */
  #after = START;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Releases all, or goes on until soon after `isStopping`. The next call continues after the merchant with
   * the last turn.
   * @throws what failed first, after the placements of other merchants
   */
  async release(isStopping: () => boolean): Promise<void> {
    const failures: unknown[] = [];
    for (let isMore = true; isMore && !isStopping(); ) isMore = await this.#round(isStopping, failures);
    if (failures.length > 0) throw failures[0];
  }

  /** Gives merchants a turn, up to the last one. Resolves to whether some may have more. */
  async #round(isStopping: () => boolean, failures: unknown[]): Promise<boolean> {
    let isMore = this.#after !== START;
    const turn = async (merchantId: number): Promise<void> => {
      if (isStopping()) return;
      this.#after = Math.max(this.#after, merchantId);
      try {
        if (await this.#releaseOf(merchantId, isStopping)) isMore = true;
      } catch (error) {
        failures.push(error);
      }
    };
    for (let isLast = false; !isLast && !isStopping(); ) {
      const merchants = await this.#nextMerchants();
      isLast = merchants.length < MERCHANTS_AT_ONCE;
      await inParallel(merchants, turn);
    }
    if (!isStopping()) this.#after = START;
    return isMore;
  }

  async #nextMerchants(): Promise<number[]> {
    const { database, now } = this.#services;
    const page = { after: this.#after, limit: MERCHANTS_AT_ONCE };
    try {
      const merchants = await database.all(listMerchantsWithExpired, { ...page, now: now() });
      return merchants.map(({ merchant_id }) => merchant_id);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      // While a node of a cluster is away, each merchant has to be asked.
      return (await database.all(listMerchantIds, page)).map(({ id }) => id);
    }
  }

  /** Resolves to whether there are probably more. */
  async #releaseOf(merchantId: number, isStopping: () => boolean): Promise<boolean> {
    const { database, now, lowBudget } = this.#services;
    const caller = { merchantId, who: SERVICE, lowBudget };
    for (let released = 0; released < PLACEMENTS_PER_TURN && !isStopping(); released += PLACEMENTS_AT_ONCE) {
      const rows = await database.all(listExpired, { merchantId, now: now(), limit: PLACEMENTS_AT_ONCE });
      const placementIds = rows.map(({ placement_id }) => placement_id);
      if (rows.length > 0) await runVerb(this.#services, caller, releaseExpired, { placementIds });
      if (rows.length < PLACEMENTS_AT_ONCE) return false;
    }
    return true;
  }
}
