import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database.ts';
import { describeHosts, type PostgresAddress, type PostgresHost } from './address.ts';
import { messageOf } from './errors.ts';
import { Pool } from './pool.ts';

const SEEK_AGAIN_MS = 250;
/** For so long after a primary is lost, requests wait for another; then they are refused at once. */
const SEEK_PATIENCE_MS = 1_000;
/** What is under way on connections that are given up has so long to end. */
const GIVE_UP_MS = 5_000;

/**
 * The connections to whichever of the hosts takes writes. When it is lost, another look at all hosts is
 * taken again and again until one does; whoever asks in the first second waits for it, others are refused.
 */
export class Primary {
  readonly #address: PostgresAddress;
  #pool: Pool | undefined;
  #seeking: Promise<Pool> | undefined;
  /** As `performance.now()` has it. */
  #seekingSince = 0;
  /** Why each host was not taken when it was last looked at. */
  readonly #reasons = new Map<PostgresHost, string>();
  /** Given up, but not ended yet. */
  readonly #discarded = new Set<Pool>();
  #closed = false;

  constructor(address: PostgresAddress) {
    this.#address = address;
  }

  /**
   * Looks at every host once.
   * @throws {DatabaseUnavailable} when none takes writes now
   * @throws {DatabaseUnusable} when one refuses the user, the password or the database
   */
  async connect(): Promise<void> {
    const found = new AbortController();
    try {
      await Promise.any(this.#address.hosts.map((host) => this.#look(host, found)));
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      const final = errors.find((one) => !(one instanceof DatabaseUnavailable));
      throw final ?? new DatabaseUnavailable(this.#reason(), { cause: error });
    }
  }

  /** @throws {DatabaseUnavailable} when no primary was found within a second of its loss */
  async pool(): Promise<Pool> {
    if (this.#pool !== undefined) return this.#pool;
    const sought = this.#sought();
    const patience = this.#seekingSince + SEEK_PATIENCE_MS - performance.now();
    const found = await Promise.race([sought, pause(Math.max(0, patience))]);
    if (found === undefined) throw new DatabaseUnavailable(this.#reason());
    return found;
  }

  /** Gives up the connections of a primary that does not answer as one. */
  discard(pool: Pool): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    this.#discarded.add(pool);
    setTimeout(() => this.#end(pool), GIVE_UP_MS).unref();
    if (!this.#closed) this.#sought().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#seeking?.catch(() => {});
    await this.#pool?.end(GIVE_UP_MS);
    for (const pool of this.#discarded) this.#end(pool);
  }

  #end(pool: Pool): void {
    if (this.#discarded.delete(pool)) void pool.end();
  }

  #reason(): string {
    const { hosts } = this.#address;
    const reasons = hosts.map((host) => {
      const reason = this.#reasons.get(host) ?? 'it has not answered yet';
      return hosts.length === 1 ? reason : `${describeHosts({ hosts: [host] })}: ${reason}`;
    });
    return reasons.join('; ');
  }

  #sought(): Promise<Pool> {
    if (this.#seeking === undefined) {
      this.#seeking = this.#seek();
      this.#seekingSince = performance.now();
    }
    return this.#seeking;
  }

  async #seek(): Promise<Pool> {
    const found = new AbortController();
    try {
      return await Promise.any(this.#address.hosts.map((host) => this.#watch(host, found)));
    } catch {
      throw new DatabaseUnavailable('the service is closing');
    } finally {
      this.#seeking = undefined;
    }
  }

  /** Looks at one host until some host is found; each has its own pace, as one that hangs takes seconds. */
  async #watch(host: PostgresHost, found: AbortController): Promise<Pool> {
    while (!this.#closed && !found.signal.aborted) {
      try {
        return await this.#look(host, found);
      } catch {
        // Its reason is kept for those who ask.
        await pause(SEEK_AGAIN_MS);
      }
    }
    throw new DatabaseUnavailable('nobody looks for it any more');
  }

  /** Takes a host for the primary, if it is the first that is found to take writes. */
  async #look(host: PostgresHost, found: AbortController): Promise<Pool> {
    let pool: Pool | undefined;
    try {
      pool = new Pool(this.#address, host, (failed) => this.discard(failed));
      await pool.check();
      if (found.signal.aborted) throw new DatabaseUnavailable('another one was found before');
      found.abort();
      this.#pool = pool;
      return pool;
    } catch (error) {
      void pool?.end();
      this.#reasons.set(host, messageOf(error));
      throw error;
    }
  }
}
