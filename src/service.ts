import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from './app.ts';
import { type Config, SettingError } from './config.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrations/migrate.ts';
import { AddressError } from './database/postgres/address.ts';
import { openPostgres } from './database/postgres/open.ts';
import { openSqlite } from './database/sqlite/open.ts';
import { loadTls } from './http/certificate.ts';

/**
 * Opens the database that the settings name, its schema brought up to this program's. Where its server
 * is away, `onWaiting` is told so for the operator, once.
 * @throws {SettingError} or {DatabaseUnusable} with a line for the operator
 */
export async function openDatabase(
  config: Config,
  now: number,
  onWaiting: (line: string) => void = () => {},
): Promise<Database> {
  const database = await open(config, onWaiting);
  try {
    await migrate(database, now);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(config: Config, onWaiting: (line: string) => void): Promise<Database> {
  try {
    makeDirectory(config.dataDirectory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new SettingError(`DATA_DIR is "${config.dataDirectory}", which cannot be made: ${reason}.`);
  }
  if (config.postgres === null) return openSqlite(join(config.dataDirectory, 'tradepost.db'));
  try {
    return await openPostgres(config.postgres, { waitMs: config.databaseWaitMs, onWaiting });
  } catch (error) {
    if (error instanceof AddressError)
      throw new SettingError(`DATABASE_URL cannot be used: ${error.message}.`);
    throw error;
  }
}

/** Makes a directory and those above it. Node's own way of doing so never ends where `/proc` refuses one. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A service that listens. `close` lets requests under way finish first. */
export interface Service {
  baseUrl: string;
  close(): Promise<void>;
}

/** How long a shutdown waits for requests under way. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 100;

/**
 * Serves on the database given until `close`, which closes the database too.
 * @throws {SettingError} when the port or the certificate cannot be used
 */
export async function startService(
  config: Config,
  database: Database,
  logger: FastifyBaseLogger,
  now: () => number,
): Promise<Service> {
  const tls = await loadTls(config, now());
  const app = await buildApp({ config, database, tls, logger, now });
  try {
    await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'listening' });
  } catch (error) {
    throw listenError(error, config);
  }
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    baseUrl: `${tls === null ? 'http' : 'https'}://${host}:${port}${config.basePath}`,
    close: async () => {
      const force = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      // Connections whose last request was under way at first become idle later.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      await app.close();
      clearTimeout(force);
      clearInterval(sweep);
      await database.close();
    },
  };
}

function listenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingError(
        `PORT is ${port}, which is in use on ${host}: choose another, or stop what has it.`,
      );
    case 'EACCES':
      return new SettingError(`PORT is ${port}, which this user may not listen on.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError(`HOST is "${host}", which is not an address of this machine.`);
    default:
      return error;
  }
}
