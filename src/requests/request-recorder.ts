import { randomBytes } from 'node:crypto';
import type { Connection, Database } from '../database/database.ts';
import { isSplitting } from '../database/is-splitting.ts';
import { modeOf } from '../database/sides.ts';
import { DelayedWrites } from '../shared/delayed-writes.ts';
import { CallTotals } from './call-totals.ts';
import {
  addToUsage,
  deleteAllButNewest,
  type FailedRequestRow,
  insertFailedRequest,
  type UsageRow,
} from './queries.ts';
import { idPrefix, MAX_FAILURES } from './retention.ts';

const HOUR_MS = 60 * 60 * 1000;
const WRITE_AFTER_MS = 2_000;
const WRITE_AGAIN_MS = 10_000;
/** For all merchants together, about 10 MB. */
const MAX_UNWRITTEN = 10_000;
/** How many calls of a refused key are logged between two writes. All are counted. */
const MAX_OF_REFUSED_KEY = 5;

interface KeyOfCall {
  merchantId: number;
  keyId: number;
}

export type Failure = Omit<FailedRequestRow, 'merchant_id' | 'key_id' | 'id' | 'at'>;

interface Unwritten {
  failures: FailedRequestRow[];
  /** By key, endpoint and status. */
  usage: Map<string, UsageRow>;
  /** Logged calls of each refused key. */
  refused: Map<number, number>;
}

/**
 * Counts calls, and logs failed ones. They are written a few seconds later, so a crash may lose the last
 * ones. Memory is bounded: a flood of failures drops the oldest that are not written yet.
 */
export class RequestRecorder {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  #unwritten = new Map<number, Unwritten>();
  /** Tells this process's calls from other calls at the same time. */
  readonly #suffix = randomBytes(4).toString('hex');
  #logged = 0;
  #failures = 0;
  #dropped = 0;
  readonly #totals = new CallTotals();
  readonly #writes = new DelayedWrites(() => this.#takeAll());

  constructor(database: Database, now: () => number, onError: (error: unknown) => void) {
    this.#database = database;
    this.#now = now;
    this.#onError = onError;
  }

  /** Failed calls that were not logged, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** `endpoint` is a method and a path's pattern. */
  count({ merchantId, keyId }: KeyOfCall, endpoint: string, status: number): void {
    const hour = this.#now() - (this.#now() % HOUR_MS);
    const { usage } = this.#of(merchantId);
    const name = `${keyId} ${status} ${hour} ${endpoint}`;
    const row = usage.get(name);
    if (row !== undefined) row.requests += 1;
    else usage.set(name, { merchant_id: merchantId, hour, key_id: keyId, endpoint, status, requests: 1 });
    if (modeOf(merchantId) === 'live') this.#totals.count(this.#now(), { failed: status >= 400 ? 1 : 0 });
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  /** `isRefused`: the key has been revoked or has expired. */
  log({ merchantId, keyId }: KeyOfCall, failure: Failure, { isRefused }: { isRefused: boolean }): void {
    const { failures, refused } = this.#of(merchantId);
    if (isRefused) {
      const logged = (refused.get(keyId) ?? 0) + 1;
      refused.set(keyId, logged);
      if (logged > MAX_OF_REFUSED_KEY) {
        this.#dropped += 1;
        return;
      }
    }
    if (failures.length === MAX_FAILURES || this.#failures === MAX_UNWRITTEN) {
      this.#dropped += 1;
      if (failures.shift() === undefined) return;
      this.#failures -= 1;
    }
    const at = Math.floor(this.#now());
    this.#logged += 1;
    const id = `${idPrefix(at)}-${this.#logged.toString(16).padStart(10, '0')}-${this.#suffix}`;
    failures.push({ ...failure, merchant_id: merchantId, id, at, key_id: keyId });
    this.#failures += 1;
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  flush(): Promise<void> {
    return this.#writes.flush();
  }

  #of(merchantId: number): Unwritten {
    let unwritten = this.#unwritten.get(merchantId);
    if (unwritten === undefined) {
      unwritten = { failures: [], usage: new Map(), refused: new Map() };
      this.#unwritten.set(merchantId, unwritten);
    }
    return unwritten;
  }

  async #takeAll(): Promise<(() => Promise<void>)[]> {
    if (await this.#mustWait()) {
      this.#writes.planIn(WRITE_AGAIN_MS);
      return [];
    }
    const merchants = [...this.#unwritten];
    this.#unwritten = new Map();
    this.#failures = 0;
    return [
      () => this.#writeTotals(),
      ...merchants.map(
        ([merchantId, unwritten]) =>
          () =>
            this.#write(merchantId, unwritten),
      ),
    ];
  }

  async #writeTotals(): Promise<void> {
    try {
      await this.#totals.write(this.#database);
    } catch (error) {
      this.#onError(error);
      this.#writes.planIn(WRITE_AGAIN_MS);
    }
  }

  async #mustWait(): Promise<boolean> {
    try {
      return await isSplitting(this.#database);
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }

  async #write(merchantId: number, unwritten: Unwritten): Promise<void> {
    const { failures, usage } = unwritten;
    // Every process writes in this order, which prevents deadlocks.
    const rows = [...usage].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    const work = async (connection: Connection): Promise<void> => {
      await connection.runEach(addToUsage, rows);
      if (failures.length === 0) return;
      await connection.runEach(insertFailedRequest, failures);
      await connection.run(deleteAllButNewest, { merchantId, newest: MAX_FAILURES });
    };
    try {
      await this.#database.transaction(work, { merchantId });
    } catch (error) {
      this.#onError(error);
      this.#restore(merchantId, unwritten);
    }
  }

  #restore(merchantId: number, { failures, usage }: Unwritten): void {
    const since = this.#of(merchantId);
    for (const [name, row] of usage) {
      const newer = since.usage.get(name);
      if (newer === undefined) since.usage.set(name, row);
      else newer.requests += row.requests;
    }
    const room = Math.min(MAX_FAILURES - since.failures.length, MAX_UNWRITTEN - this.#failures);
    const kept = room > 0 ? failures.slice(-room) : [];
    this.#dropped += failures.length - kept.length;
    this.#failures += kept.length;
    since.failures.unshift(...kept);
    this.#writes.planIn(WRITE_AGAIN_MS);
  }
}
