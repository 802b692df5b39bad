import { randomBytes } from 'node:crypto';
import type { Connection, Database } from '../database/database.ts';
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
/** The number of merchants whose calls are written at the same time. */
const WRITES_AT_ONCE = 20;
/** Limits memory, of failed calls of all merchants that are not written yet, to about 10 MB. */
const MAX_UNWRITTEN = 10_000;
/** How many calls with a revoked or expired key are logged between two writes. All are counted. */
const MAX_OF_REFUSED_KEY = 5;

/** The key of a call. */
interface KeyOfCall {
  merchantId: number;
  keyId: number;
}

/** A failed call, without its merchant, its key and its time. */
export type Failure = Omit<FailedRequestRow, 'merchant_id' | 'key_id' | 'id' | 'at'>;

/** The calls of a merchant that are not written yet. */
interface Unwritten {
  failures: FailedRequestRow[];
  /** By key, endpoint and status. */
  usage: Map<string, UsageRow>;
  /** The number of logged calls of each refused key. */
  refused: Map<number, number>;
}

/**
 * Counts the calls of merchants, and logs the failed ones. Calls are collected and written a few seconds later, so a crash
 * may lose the most recent ones. Memory is bounded: under a flood of failures, the oldest that are not written yet are
 * dropped.
 */
export class RequestRecorder {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  #unwritten = new Map<number, Unwritten>();
  /** Tells this process's calls from the calls of others at the same time. */
  readonly #suffix = randomBytes(4).toString('hex');
  #logged = 0;
  #failures = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(database: Database, now: () => number, onError: (error: unknown) => void) {
    this.#database = database;
    this.#now = now;
    this.#onError = onError;
  }

  /** The number of failed calls that were not logged, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts a call. `endpoint` is its method and the pattern of its path. */
  count({ merchantId, keyId }: KeyOfCall, endpoint: string, status: number): void {
    const hour = this.#now() - (this.#now() % HOUR_MS);
    const { usage } = this.#of(merchantId);
    const name = `${keyId} ${status} ${hour} ${endpoint}`;
    const row = usage.get(name);
    if (row !== undefined) row.requests += 1;
    else usage.set(name, { merchant_id: merchantId, hour, key_id: keyId, endpoint, status, requests: 1 });
    this.#writeAfter(WRITE_AFTER_MS);
  }

  /** Logs a failed call. `isRefused` means that its key has been revoked or has expired. */
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
    this.#writeAfter(WRITE_AFTER_MS);
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Two at once would write the same merchant in two transactions.
    this.#writing = (this.#writing ?? Promise.resolve()).then(() => this.#writeAll());
    await this.#writing;
  }

  #of(merchantId: number): Unwritten {
    let unwritten = this.#unwritten.get(merchantId);
    if (unwritten === undefined) {
      unwritten = { failures: [], usage: new Map(), refused: new Map() };
      this.#unwritten.set(merchantId, unwritten);
    }
    return unwritten;
  }

  #writeAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }

  async #writeAll(): Promise<void> {
    if (await this.#mustWait()) return this.#writeAfter(WRITE_AGAIN_MS);
    const merchants = [...this.#unwritten];
    this.#unwritten = new Map();
    this.#failures = 0;
    for (let start = 0; start < merchants.length; start += WRITES_AT_ONCE) {
      const some = merchants.slice(start, start + WRITES_AT_ONCE);
      // One transaction per merchant: each may be on a different node, and one of the nodes may be away.
      await Promise.all(some.map(([merchantId, unwritten]) => this.#write(merchantId, unwritten)));
    }
  }

  /** Whether a cluster isolates a merchant, which updates and deletions would stop (docs/how-to/distribute-postgresql.md). */
  async #mustWait(): Promise<boolean> {
    try {
      const found = await this.#database.first(this.#database.dialect.countShardSplits);
      return found !== undefined && found.splits > 0;
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

  /** Adds what could not be written to what has come since. */
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
    this.#writeAfter(WRITE_AGAIN_MS);
  }
}
