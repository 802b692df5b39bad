import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';
import {
  describeHosts,
  type PostgresAddress,
  type PostgresHost,
  type TlsChoice,
  tlsChoice,
} from './address.ts';
import { CONNECTIONS, ConnectionShares } from './connection-shares.ts';
import { translateConnectError } from './errors.ts';
import { openSocket } from './socket.ts';

const MIN_VERSION = 15;
const CONNECT_TIMEOUT_MS = 3_000;
/** The driver's own timeout restarts if a proxy whose server is down accepts and closes connections. */
const READY_TIMEOUT_MS = 4_000;
const ALIVE_TIMEOUT_MS = 1_000;

export class Pool {
  readonly sql: Sql;
  readonly #host: PostgresHost;
  readonly #address: PostgresAddress;
  readonly #sockets = new Set<Socket>();
  #isDistributed = false;
  #shares = new ConnectionShares({ isDistributed: false });
  #ended = false;

  /**
   * `onFailure` is also called for idle connections: until they are fully closed, the driver would send a
   * query on them that never completes.
   * @throws {AddressError} if a file of the address cannot be read
   */
  constructor(address: PostgresAddress, host: PostgresHost, onFailure: (pool: Pool) => void) {
    this.#host = host;
    this.#address = address;
    const { user, password, database, prepare, applicationName } = address;
    const tls = tlsChoice(address);
    const options: postgres.Options<Record<string, never>> = {
      username: user,
      password,
      database,
      prepare,
      // The socket already has TLS. Without this option, the driver would read it from the environment.
      ssl: false,
      max: CONNECTIONS,
      connect_timeout: CONNECT_TIMEOUT_MS / 1000,
      idle_timeout: 0,
      fetch_types: false,
      backoff: () => 0.1,
      onnotice: () => {},
      connection: { application_name: applicationName },
    };
    const socket = async (): Promise<Socket> =>
      (await this.#openSocket(tls)).on('error', () => onFailure(this));
    // In a string, the driver would parse the text after an IPv6 address's first colon as a port.
    this.sql = postgres(Object.assign(options, { host: [host.host], port: [host.port], socket }));
  }

  /** Whether `check` found the coordinator of a Citus cluster. */
  get isDistributed(): boolean {
    return this.#isDistributed;
  }

  /** The shares are nodes if the database is distributed, otherwise merchants. */
  get shares(): ConnectionShares {
    return this.#shares;
  }

  async #openSocket(tls: TlsChoice | null): Promise<Socket> {
    const socket = await openSocket(this.#host, tls, CONNECT_TIMEOUT_MS);
    if (this.#ended) {
      socket.destroy();
      // The driver would request others if this one were only closed.
      throw Object.assign(new Error('the connection was given up'), { code: 'ECONNABORTED' });
    }
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  /**
   * @throws {DatabaseUnavailable} if the host does not accept writes now
   * @throws {DatabaseUnusable} if the server is too old, rejects the user, the password or the database, or
   *   if the database is not UTF-8
   */
  async check(): Promise<void> {
    const host = describeHosts({ hosts: [this.#host] });
    try {
      const query = this.sql.unsafe<
        { read_only: string; encoding: string; version: string; citus: string }[]
      >(
        `SELECT current_setting('transaction_read_only') AS read_only, current_setting('server_encoding') AS encoding,
           current_setting('server_version_num') AS version,
           (SELECT count(*) FROM pg_extension WHERE extname = 'citus') AS citus`,
      );
      const rows = await Promise.race([query, pause(READY_TIMEOUT_MS, undefined, { ref: false })]);
      if (rows === undefined) throw new DatabaseUnavailable('it accepts connections but does not respond');
      const [{ read_only = '', encoding = '', version = '', citus = '0' } = {}] = rows;
      this.#isDistributed = citus !== '0';
      if (this.#isDistributed) this.#shares = new ConnectionShares({ isDistributed: true });
      const major = Math.floor(Number(version) / 10_000);
      if (major < MIN_VERSION) {
        throw new DatabaseUnusable(
          `The database server at ${host} is PostgreSQL ${major}. Version ${MIN_VERSION} or newer is required.`,
        );
      }
      if (read_only === 'on') throw new DatabaseUnavailable('it does not accept writes');
      if (encoding !== 'UTF8') {
        throw new DatabaseUnusable(
          `The database at ${host} has the encoding ${encoding}. Create it with the encoding UTF8.`,
        );
      }
    } catch (error) {
      throw translateConnectError(error, host);
    }
  }

  /** Whether the host accepts another connection now. */
  async isAlive(): Promise<boolean> {
    const other = new Pool(this.#address, this.#host, () => {});
    try {
      await Promise.race([other.check(), rejectAfter(ALIVE_TIMEOUT_MS)]);
      return true;
    } catch {
      return false;
    } finally {
      void other.end();
    }
  }

  /** Queries in progress have up to `timeoutMs` to complete. */
  async end(timeoutMs = 0): Promise<void> {
    this.#ended = true;
    await this.sql.end({ timeout: timeoutMs / 1000 });
    // A server that hangs or is away does not close its side.
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function rejectAfter(milliseconds: number): Promise<never> {
  await pause(milliseconds, undefined, { ref: false });
  throw new DatabaseUnavailable('it does not respond');
}
