import type { Caller } from '../api-keys/verify-token.ts';
import type { Database } from '../database/database.ts';
import { addRequests } from './rate-limit-queries.ts';

const WINDOW_MS = 60_000;
/** A share takes this part of the limit from the common count, so that few requests wait for the database. */
const SHARES = 50;

/** What this process may still let through of one key's requests in one minute. */
interface Share {
  minute: number;
  left: number;
  /** Whether the common count has reached the limit. */
  exhausted: boolean;
  taking: Promise<void> | undefined;
}

/**
 * Counts each key's requests in the current minute, over all processes on one database: each takes shares
 * of the limit from the common count. Never more than the limit get through; where several processes
 * serve one key, up to a share a process fewer.
 */
export class RateLimit {
  readonly #database: Database;
  readonly #limit: number | null;
  readonly #now: () => number;
  readonly #shares = new Map<string, Share>();
  #minute = 0;

  /** `limit`: requests a minute for one key, or null for as many as it likes. */
  constructor(database: Database, limit: number | null, now: () => number) {
    this.#database = database;
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request if that can be done without asking the database; false, and nothing counted, if not. */
  takeNow({ key }: Caller): boolean {
    if (this.#limit === null) return true;
    const share = this.#shareOf(key);
    if (share.left === 0) return false;
    share.left -= 1;
    return true;
  }

  /** Counts one request; the seconds to wait if it is one too many, else 0. */
  async take(caller: Caller): Promise<number> {
    while (!this.takeNow(caller)) {
      const share = this.#shareOf(caller.key);
      if (share.exhausted) return Math.ceil(((share.minute + 1) * WINDOW_MS - this.#now()) / 1000);
      share.taking ??= this.#takeShare(caller, share).finally(() => {
        share.taking = undefined;
      });
      await share.taking;
    }
    return 0;
  }

  #shareOf(key: string): Share {
    const minute = Math.floor(this.#now() / WINDOW_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#shares.clear();
    }
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = { minute, left: 0, exhausted: false, taking: undefined };
      this.#shares.set(key, share);
    }
    return share;
  }

  async #takeShare({ merchantId, keyId }: Caller, share: Share): Promise<void> {
    const limit = this.#limit ?? Number.POSITIVE_INFINITY;
    const wanted = Math.ceil(limit / SHARES);
    const row = await this.#database.transaction((connection) =>
      connection.first(addRequests, [merchantId, keyId, share.minute, wanted]),
    );
    const over = Math.max(0, (row?.requests ?? 0) - limit);
    share.left = Math.max(0, wanted - over);
    share.exhausted = over > 0;
  }
}
