import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/open-database.ts';
import { loadTls } from '../http/tls/files.ts';
import { serveHealth } from '../observability/serve-health.ts';
import { activatedSockets } from '../shared/activated-sockets.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { announce } from './announce.ts';
import { type Context, openLog } from './context.ts';
import { newSetUpLink } from './set-up-link.ts';
import { onHangup, untilSignal } from './until-signal.ts';

/** The primary process distributes connections among workers, which run the same command line up to here. */
export async function serveWithWorkers(context: Context, config: Config): Promise<void> {
  if (cluster.worker === undefined) await serveAsPrimary(context, config);
  else await (await import('./serve-as-worker.ts')).serveAsWorker(context, config, cluster.worker);
}

async function serveAsPrimary(context: Context, config: Config): Promise<void> {
  const log = openLog(config);
  const sockets = activatedSockets(context.environment, process.pid);
  const acceptThemselves = (sockets.api ?? sockets.operator) !== undefined;
  const pool = new WorkerPool(config.workers, log, { acceptThemselves });
  onHangup(() => pool.reloadCertificate());
  // Creates the schema and the certificate once, before the workers start.
  const database = await openDatabase(config, context.now(), (line) => log.warn(line));
  // Closed even if it fails: an open database keeps the process from exiting.
  const setUpLink = await newSetUpLink(database, config, context.now).finally(() => database.close());
  await loadTls(config, context.now());
  const baseUrl = await pool.start();
  const health = await serveHealth(config, pool, log, sockets.metrics).catch(async (error) => {
    await pool.stop();
    throw error;
  });
  // First, because a supervisor may stop the service right after it is announced.
  const stopped = untilSignal(() => pool.kill());
  announce(context, log, config, { baseUrl, metrics: health.url, setUpLink });
  try {
    await Promise.race([stopped, pool.socketsLost]);
    log.info('stopping after requests in progress');
    await pool.stop();
  } finally {
    await health.close();
  }
}
