import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { type Config, SettingError } from './config.ts';
import type { Database } from './database/database.ts';
import { replaceCertificate } from './http/connections/server.ts';
import { loadTls } from './http/tls/files.ts';
import { CertificateReloader } from './http/tls/reload.ts';
import { type Health, processHealth } from './observability/health.ts';
import { Metrics } from './observability/metrics.ts';
import { timedDatabase } from './observability/timed-database.ts';

/** A service that listens. `close` lets requests under way finish first. */
export interface Service {
  baseUrl: string;
  /** Looks whether the certificate and key files have changed, which it does by itself every few seconds. */
  reread(): Promise<void>;
  health: Health;
  close(): Promise<void>;
}

/** How long a shutdown waits for requests under way. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 100;

/**
 * Serves on the database given until `close`, which closes the database too; `further` adds routes.
 * @throws {SettingError} when the port or the certificate cannot be used
 */
export async function startService(
  config: Config,
  database: Database,
  logger: FastifyBaseLogger,
  now: () => number,
  metrics = new Metrics(),
  further: (app: FastifyInstance) => void = () => {},
): Promise<Service> {
  const tls = await loadTls(config, now());
  const timed = timedDatabase(database, metrics);
  let isStopping = false;
  const app = await buildApp({ config, database: timed, tls, logger, metrics, now });
  further(app);
  try {
    await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'listening' });
  } catch (error) {
    throw listenError(error, config);
  }
  const follower =
    tls &&
    new CertificateReloader(tls, { config, logger, now }, (next) => replaceCertificate(app.server, next));
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    baseUrl: `${tls === null ? 'http' : 'https'}://${host}:${port}${config.basePath}`,
    reread: async () => await follower?.reload(),
    health: processHealth(database, metrics, () => isStopping),
    close: async () => {
      isStopping = true;
      const force = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      // Connections whose last request was under way at first become idle later.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      try {
        await Promise.all([follower?.stop(), app.close()]);
      } finally {
        clearTimeout(force);
        clearInterval(sweep);
        await database.close();
      }
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
