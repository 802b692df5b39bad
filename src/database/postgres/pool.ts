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
import { translateConnectError } from './errors.ts';
import { openSocket } from './socket.ts';

/** How many a process has at most. */
export const CONNECTIONS = 10;
const OLDEST_VERSION = 15;
const CONNECT_TIMEOUT_MS = 3_000;
/** The driver's own limit begins anew where connections are taken and closed, as by a proxy without a server. */
const READY_TIMEOUT_MS = 4_000;

/** The connections to one host. */
export class Pool {
  readonly sql: Sql;
  readonly #host: PostgresHost;
  readonly #sockets = new Set<Socket>();
  #ended = false;

  /**
   * `onFailure` is told of each connection that fails, also of an idle one: before its end is over, the
   * driver would take a query for it, and that one would never end.
   * @throws {AddressError} when a file of the address cannot be read
   */
  constructor(address: PostgresAddress, host: PostgresHost, onFailure: (pool: Pool) => void) {
    this.#host = host;
    const { user, password, database, prepare, applicationName } = address;
    const tls = tlsChoice(address);
    const options: postgres.Options<Record<string, never>> = {
      username: user,
      password,
      database,
      prepare,
      // What the socket below has already. Left out, the driver would look for it in the environment.
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
    // As lists: in a text, the driver would take what follows an IPv6 address's first colon for a port.
    this.sql = postgres(Object.assign(options, { host: [host.host], port: [host.port], socket }));
  }

  async #openSocket(tls: TlsChoice | null): Promise<Socket> {
    const socket = await openSocket(this.#host, tls, CONNECT_TIMEOUT_MS);
    if (this.#ended) {
      socket.destroy();
      // A socket that is closed only has the driver ask for another, again and again.
      throw Object.assign(new Error('it was given up'), { code: 'ECONNABORTED' });
    }
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  /**
   * @throws {DatabaseUnavailable} when the host does not take writes now
   * @throws {DatabaseUnusable} when it is too old, refuses the user, the password or the database, or that one is not UTF-8
   */
  async check(): Promise<void> {
    const where = describeHosts({ hosts: [this.#host] });
    try {
      const asked = this.sql.unsafe<{ read_only: string; encoding: string; version: string }[]>(
        `SELECT current_setting('transaction_read_only') AS read_only, current_setting('server_encoding') AS encoding,
           current_setting('server_version_num') AS version`,
      );
      const answer = await Promise.race([asked, pause(READY_TIMEOUT_MS, undefined, { ref: false })]);
      if (answer === undefined) throw new DatabaseUnavailable('it does not get ready to answer');
      const [{ read_only = '', encoding = '', version = '' } = {}] = answer;
      const major = Math.floor(Number(version) / 10_000);
      if (major < OLDEST_VERSION) {
        throw new DatabaseUnusable(
          `The database server at ${where} is PostgreSQL ${major}: ${OLDEST_VERSION} or newer is needed.`,
        );
      }
      if (read_only === 'on') throw new DatabaseUnavailable('it takes no writes');
      if (encoding !== 'UTF8') {
        throw new DatabaseUnusable(
          `The database at ${where} has the encoding ${encoding}: make it anew with the encoding UTF8.`,
        );
      }
    } catch (error) {
      throw translateConnectError(error, where);
    }
  }

  /** Ends all connections: at once, or once what is under way on them has had so long to end. */
  async end(timeoutMs = 0): Promise<void> {
    this.#ended = true;
    await this.sql.end({ timeout: timeoutMs / 1000 });
    // A server that hangs, or is away, does not do its part in ending them.
    for (const socket of this.#sockets) socket.destroy();
  }
}
