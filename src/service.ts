import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createAcme } from './acme/acme.ts';
import { buildApp } from './app.ts';
import { type Config, SettingError } from './config.ts';
import type { HashCost } from './console/auth/passwords.ts';
import type { Database } from './database/database.ts';
import { type DatabaseSettings, openDatabase } from './database/open-database.ts';
import type { DatabaseFile } from './database/sqlite/writer.ts';
import { replaceCertificate } from './http/connections/server.ts';
import { loadTls } from './http/tls/files.ts';
import { CertificateReloader } from './http/tls/reload.ts';
import { type Health, processHealth } from './observability/health.ts';
import { Metrics } from './observability/metrics.ts';
import { timedDatabase } from './observability/timed-database.ts';
import { OPERATOR_BASE_PATH } from './operator/path.ts';
import { type ActivatedSockets, listenOnSocket } from './shared/activated-sockets.ts';
import { messageOf } from './shared/error-message.ts';
import { startThread } from './shared/start-module.ts';
import type { FindAddress } from './webhooks/receiver-address.ts';
import { writerVerbs } from './writer-verbs.ts';

export interface Service {
  baseUrl: string;
  operatorUrl: string;
  /**
   * Reloads the files if they changed, which also happens every few seconds. With TLS=acme, a failed order is
   * tried again at once.
   */
  reloadCertificate(): Promise<void>;
  health: Health;
  /** Stops after requests in progress. */
  close(): Promise<void>;
}

/** Requests in progress may take this long at shutdown. */
const DRAIN_MS = 10_000;

interface ServiceOptions {
  metrics?: Metrics;
  addRoutes?(app: FastifyInstance): void;
  findAddress?: FindAddress;
  /** Of the hashes of new passwords; tests need a low one. */
  passwordCost?: HashCost;
  /** How often the service looks again at what it follows, such as the key file; tests do not wait. */
  pollMs?: number;
  /** Used instead of listening on the addresses of the settings. */
  sockets?: ActivatedSockets;
}

/** Opens the database of a service, whose writes do not block the event loop. @throws as `openDatabase` */
export function openServiceDatabase(
  settings: DatabaseSettings,
  now: number,
  onWaiting?: (line: string) => void,
): Promise<Database> {
  const start = (file: DatabaseFile): Worker =>
    startThread('writer-worker', import.meta.url, { workerData: file });
  return openDatabase({ ...settings, writerThread: { start, verbs: writerVerbs } }, now, onWaiting);
}

/**
 * Serves until `close`. Closes the database then, and also if the start fails.
 * @throws {SettingError} if the port or the certificate cannot be used
 * @throws {KeyFileUnusable} as `buildApp`
 */
export async function startService(
  config: Config,
  database: Database,
  logger: FastifyBaseLogger,
  now: () => number,
  {
    metrics = new Metrics(),
    addRoutes = () => {},
    findAddress,
    passwordCost,
    pollMs,
    sockets = {},
  }: ServiceOptions = {},
): Promise<Service> {
  let isStopping = false;
  const build = async () => {
    const acme =
      config.tls.mode === 'acme'
        ? createAcme({
            ...config,
            settings: config.tls.acme,
            database,
            now,
            onKeyCreated: (line) => logger.warn(line),
          })
        : null;
    const stored = (await acme?.store.readPair()) ?? null;
    if (acme !== null && stored === null)
      logger.warn('no certificate of the authority yet: the self-signed one is served until it arrives');
    const tls = stored ?? (await loadTls(config, now()));
    const app = await buildApp({
      config,
      database: timedDatabase(database, metrics),
      tls,
      acme,
      logger,
      metrics,
      now,
      ...(findAddress !== undefined && { findAddress }),
      passwordCost,
      pollMs,
    });
    return { tls, acme, app };
  };
  const { tls, acme, app } = await build().catch(async (error) => {
    // An open database keeps the process from exiting.
    await database.close();
    throw error;
  });
  addRoutes(app);
  const { operatorServer } = app;
  try {
    await listen(app, config, sockets.api).catch((error) => {
      throw listenError(error, config);
    });
    await listenForOperator(operatorServer, config, sockets.operator);
  } catch (error) {
    // Closing a socket of systemd closes it for all workers, before this one reports why. It then exits.
    if (cluster.isWorker) throw error;
    await app.close();
    await database.close();
    throw error;
  }
  const servers = operatorServer === null ? [app.server] : [app.server, operatorServer];
  const reloader =
    tls &&
    new CertificateReloader(tls, { config, logger, now, stored: acme?.store ?? null }, (next) => {
      for (const server of servers) replaceCertificate(server, next);
    });
  const origin = originOf(app.server, config, config.tls);
  const operatorOrigin =
    operatorServer === null ? origin : originOf(operatorServer, config.operatorAddress ?? config, config.tls);
  return {
    baseUrl: `${origin}${config.basePath}`,
    operatorUrl: `${operatorOrigin}${OPERATOR_BASE_PATH}`,
    reloadCertificate: async () => {
      await acme?.store
        .forgetFailure()
        .catch((error) => logger.warn({ err: error }, 'the certificate is not ordered now; trying again'));
      await reloader?.reload();
    },
    health: processHealth(database, metrics, () => isStopping),
    close: async () => {
      isStopping = true;
      const force = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, DRAIN_MS);
      try {
        await Promise.all([reloader?.stop(), app.close()]);
      } finally {
        clearTimeout(force);
        await database.close();
      }
    },
  };
}

async function listen(
  app: FastifyInstance,
  { host, port }: Config,
  socket: number | undefined,
): Promise<void> {
  if (socket === undefined) {
    await app.listen({ host, port, listenTextResolver: () => 'listening' });
    return;
  }
  // Fastify can only listen on addresses.
  await app.ready();
  await listenOnSocket(app.server, socket, { host, port, settings: 'HOST and PORT state' });
  app.log.info('listening');
}

async function listenForOperator(
  server: Server | null,
  { operatorAddress }: Config,
  socket: number | undefined,
): Promise<void> {
  if (server === null || operatorAddress === null) {
    if (socket === undefined) return;
    throw new SettingError(
      'systemd listens on a socket for the operator API: set OPERATOR_ADDRESS, or disable the unit of the socket.',
    );
  }
  if (socket !== undefined) {
    await listenOnSocket(server, socket, { ...operatorAddress, settings: 'OPERATOR_ADDRESS states' });
    return;
  }
  const { host, port } = operatorAddress;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new SettingError(
      `OPERATOR_ADDRESS is ${host}:${port}, which cannot be listened on: ${messageOf(error)}.`,
    );
  }
}

function originOf(
  server: Server,
  { host, port }: { host: string; port: number },
  { mode }: Config['tls'],
): string {
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `${mode === 'proxy' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

function listenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingError(
        `PORT is ${port}, which is in use on ${host}. Choose another port, or stop the program that uses it.`,
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
