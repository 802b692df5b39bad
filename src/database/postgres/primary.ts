import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database.ts';
import { describeHosts, type PostgresAddress, type PostgresHost } from './address.ts';
import { describeFailure } from './errors.ts';
import { Pool } from './pool.ts';

const SEARCH_DELAY_MS = 250;
/** After a primary is lost, requests wait this long for a new one. Later requests fail immediately. */
const SEARCH_WAIT_MS = 1_000;
/** Queries in progress on discarded connections may take this long. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * The connections to the host that accepts writes. When it is lost, all hosts are tried until one does.
 * Callers in the first second wait, later ones get an error.
 */
export class Primary {
  readonly #address: PostgresAddress;
  #pool: Pool | undefined;
  #searching: Promise<Pool> | undefined;
  /** A time of `performance.now()`. */
  #searchingSince = 0;
  readonly #reasons = new Map<PostgresHost, string>();
  readonly #discarded = new Set<Pool>();
  #closed = false;

  constructor(address: PostgresAddress) {
    this.#address = address;
  }

  /**
   * Tries every host once.
   * @throws {DatabaseUnavailable} if none accepts writes now
   * @throws {DatabaseUnusable} if one rejects the user, the password or the database
   */
  async connect(): Promise<void> {
    const found = new AbortController();
    try {
      await Promise.any(this.#address.hosts.map((host) => this.#tryHost(host, found)));
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      const final = errors.find((one) => !(one instanceof DatabaseUnavailable));
      throw final ?? new DatabaseUnavailable(this.#reason(), { cause: error });
    }
  }

  /**
   * @throws {DatabaseUnavailable} if the primary was lost and no new one is found within a second of its loss
   */
  async pool(): Promise<Pool> {
    if (this.#pool !== undefined) return this.#pool;
    const search = this.#ongoingSearch();
    const remaining = this.#searchingSince + SEARCH_WAIT_MS - performance.now();
    const found = await Promise.race([search, pause(Math.max(0, remaining))]);
    if (found === undefined) throw new DatabaseUnavailable(this.#reason());
    return found;
  }

  /** Gives up the connections of a primary that does not respond or does not accept writes. */
  discard(pool: Pool): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    this.#discarded.add(pool);
    setTimeout(() => this.#end(pool), CLOSE_TIMEOUT_MS).unref();
    if (!this.#closed) this.#ongoingSearch().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#searching?.catch(() => {});
    await this.#pool?.end(CLOSE_TIMEOUT_MS);
    for (const pool of this.#discarded) this.#end(pool);
  }

  #end(pool: Pool): void {
    if (this.#discarded.delete(pool)) void pool.end();
  }

  #reason(): string {
    const { hosts } = this.#address;
    const reasons = hosts.map((host) => {
      const reason = this.#reasons.get(host) ?? 'it has not responded yet';
      return hosts.length === 1 ? reason : `${describeHosts({ hosts: [host] })}: ${reason}`;
    });
    return reasons.join('; ');
  }

  #ongoingSearch(): Promise<Pool> {
    if (this.#searching === undefined) {
      this.#searching = this.#search();
      this.#searchingSince = performance.now();
    }
    return this.#searching;
  }

  async #search(): Promise<Pool> {
    const found = new AbortController();
    try {
      return await Promise.any(this.#address.hosts.map((host) => this.#retryHost(host, found)));
    } catch {
      throw new DatabaseUnavailable('the service is closing');
    } finally {
      this.#searching = undefined;
    }
  }

  /** Tries one host until some host is found; independently, as a host that hangs takes seconds. */
  async #retryHost(host: PostgresHost, found: AbortController): Promise<Pool> {
    while (!this.#closed && !found.signal.aborted) {
      try {
        return await this.#tryHost(host, found);
      } catch {
        await pause(SEARCH_DELAY_MS);
      }
    }
    throw new DatabaseUnavailable('the search for it has ended');
  }

  /** Makes a host the primary if it is the first that accepts writes. */
  async #tryHost(host: PostgresHost, found: AbortController): Promise<Pool> {
    let pool: Pool | undefined;
    try {
      pool = new Pool(this.#address, host, (failed) => this.discard(failed));
      await pool.check();
      if (found.signal.aborted) throw new DatabaseUnavailable('another host was found first');
      found.abort();
      this.#pool = pool;
      return pool;
    } catch (error) {
      void pool?.end();
      this.#reasons.set(host, describeFailure(error));
      throw error;
    }
  }
}
