import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { DatabaseUnavailable } from '../database.ts';
import { describeHosts, type PostgresAddress, type PostgresHost, tlsChoice } from './address.ts';
import { messageOf, translateConnectError } from './errors.ts';
import { openSocket } from './socket.ts';

/** How many a process has at most. */
export const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** The driver's own limit begins anew where connections are taken and closed, as by a proxy without a server. */
const READY_TIMEOUT_MS = 4_000;
const SEEK_AGAIN_MS = 250;
/** How long one request waits for a primary to be found. */
const SEEK_PATIENCE_MS = 1_000;
/** What is under way on connections that are given up has so long to end. */
const GIVE_UP_MS = 5_000;

/**
 * The connections to whichever of the hosts takes writes. When it is lost, another look at all hosts is
 * taken again and again until one does; whoever asks meanwhile waits a little, and is then refused.
 */
export class Primary {
  readonly #address: PostgresAddress;
  #pool: Sql | undefined;
  #seeking: Promise<Sql> | undefined;
  #reason = 'no server has answered yet';
  /** Given up, but not ended yet. */
  readonly #discarded = new Set<Sql>();
  #closed = false;

  constructor(address: PostgresAddress) {
    this.#address = address;
  }

  /**
   * Looks at every host once.
   * @throws {DatabaseUnavailable} when none takes writes now
   * @throws {DatabaseUnusable} when one refuses the user, the password or the database
   */
  async connect(): Promise<Sql> {
    const attempts = this.#address.hosts.map((host) => this.#open(host));
    try {
      const pool = await Promise.any(attempts);
      // Where several take writes, the first one that answered is the one.
      for (const attempt of attempts) {
        attempt.then(
          (other) => other !== pool && void other.end({ timeout: 0 }),
          () => {},
        );
      }
      this.#pool = pool;
      return pool;
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      const final = errors.find((one) => !(one instanceof DatabaseUnavailable));
      this.#reason = errors.map(messageOf).join('; ');
      throw final ?? new DatabaseUnavailable(this.#reason, { cause: error });
    }
  }

  /** @throws {DatabaseUnavailable} when no primary is found in a second */
  async pool(): Promise<Sql> {
    if (this.#pool !== undefined) return this.#pool;
    const found = await Promise.race([this.#sought(), pause(SEEK_PATIENCE_MS)]);
    if (found === undefined) throw new DatabaseUnavailable(this.#reason);
    return found;
  }

  /** Gives up the connections of a primary that does not answer as one. */
  discard(pool: Sql): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    if (this.#closed) return;
    this.#discarded.add(pool);
    setTimeout(() => this.#end(pool), GIVE_UP_MS).unref();
    this.#sought().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#seeking?.catch(() => {});
    for (const pool of this.#discarded) this.#end(pool);
    await this.#pool?.end({ timeout: GIVE_UP_MS / 1000 });
  }

  #end(pool: Sql): void {
    if (this.#discarded.delete(pool)) void pool.end({ timeout: 0 });
  }

  #sought(): Promise<Sql> {
    this.#seeking ??= this.#seek();
    return this.#seeking;
  }

  async #seek(): Promise<Sql> {
    try {
      while (!this.#closed) {
        try {
          return await this.connect();
        } catch {
          // Its reason is kept for those who ask.
          await pause(SEEK_AGAIN_MS);
        }
      }
      throw new DatabaseUnavailable('the service is closing');
    } finally {
      this.#seeking = undefined;
    }
  }

  async #open(host: PostgresHost): Promise<Sql> {
    const { user, password, database, prepare, applicationName } = this.#address;
    const where = describeHosts({ hosts: [host] });
    const tls = tlsChoice(this.#address);
    const options: postgres.Options<Record<string, never>> = {
      // What the socket below has already. Left out, the driver would look for it in the environment.
      ssl: false,
      username: user,
      password,
      database,
      prepare,
      max: CONNECTIONS,
      connect_timeout: CONNECT_TIMEOUT_MS / 1000,
      idle_timeout: 0,
      fetch_types: false,
      backoff: () => 0.1,
      onnotice: () => {},
      connection: { application_name: applicationName },
    };
    const socket = async (): Promise<Socket> => {
      const opened = await openSocket(host, tls, CONNECT_TIMEOUT_MS);
      // Also where it was idle: before its end is over, the driver would take a query for it that never ends.
      return opened.on('error', () => this.discard(pool));
    };
    // As lists, as in a text the driver would take what follows an IPv6 address's first colon for a port.
    const location = { host: [host.host], port: [host.port], socket };
    const pool = postgres(Object.assign(options, location));
    try {
      const asked = pool.unsafe<{ transaction_read_only: string }[]>('SHOW transaction_read_only');
      const answer = await Promise.race([asked, pause(READY_TIMEOUT_MS, undefined, { ref: false })]);
      if (answer === undefined) throw new DatabaseUnavailable(`${where} does not get ready to answer`);
      const [row] = answer;
      if (row?.transaction_read_only === 'on') throw new DatabaseUnavailable(`${where} takes no writes`);
      return pool;
    } catch (error) {
      void pool.end({ timeout: 0 });
      throw translateConnectError(error, where);
    }
  }
}
