import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/open-database.ts';
import { loadTls } from '../http/tls/files.ts';
import { Metrics } from '../observability/metrics.ts';
import { serveHealth } from '../observability/serve-health.ts';
import { openServiceDatabase, type Service, startService } from '../service.ts';
import { respondToPrimary } from '../workers/requests.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { StartReport } from '../workers/worker-process.ts';
import { announce } from './announce.ts';
import { type Context, openLog } from './context.ts';
import { explain } from './explain.ts';
import { onHangup, untilSignal } from './until-signal.ts';

/** The primary process distributes connections among workers, which run the same command line up to here. */
export async function serveWithWorkers(context: Context, config: Config): Promise<void> {
  if (cluster.worker === undefined) await serveAsPrimary(context, config);
  else await serveAsWorker(context, config, cluster.worker);
}

async function serveAsPrimary(context: Context, config: Config): Promise<void> {
  const log = openLog(config);
  const pool = new WorkerPool(config.workers, log);
  onHangup(() => pool.reloadCertificate());
  // Creates the schema and the certificate once, before the workers start.
  const database = await openDatabase(config, context.now(), (line) => log.warn(line));
  await database.close();
  await loadTls(config, context.now());
  const baseUrl = await pool.start();
  const health = await serveHealth(config, pool, log).catch(async (error) => {
    await pool.stop();
    throw error;
  });
  // First, because a supervisor may stop the service right after it is announced.
  const stopped = untilSignal(() => pool.kill());
  announce(context, log, config, { baseUrl, metrics: health.url });
  await stopped;
  log.info('stopping after requests in progress');
  await pool.stop();
  await health.close();
}

async function serveAsWorker(context: Context, config: Config, worker: Worker): Promise<void> {
  // Ctrl-C reaches every process of the terminal, but the primary process decides when workers stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // Sending fails if the primary process has ended; `disconnect` follows.
  worker.on('error', () => {});
  const log = openLog(config).child({ pid: process.pid });
  let service: Service;
  try {
    const database = await openServiceDatabase(config, context.now(), (line) => log.warn(line));
    service = await startService(config, database, log, context.now, {
      metrics: new Metrics().withProcessMetrics(),
    });
  } catch (error) {
    await report(worker, { failed: explain(error) });
    process.exit(1);
  }
  respondToPrimary(worker, service.health);
  const release = released(worker);
  onHangup(() => void service.reloadCertificate());
  await report(worker, { serving: service.baseUrl });
  await release;
  await service.close();
}

function report(worker: Worker, message: StartReport): Promise<void> {
  return new Promise((resolve) => void worker.send(message, () => resolve()));
}

/** Resolves when the primary process disconnects this one or ends. */
async function released(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    worker.once('disconnect', () => {
      // Otherwise Node would exit immediately.
      worker.exitedAfterDisconnect = true;
      resolve();
    });
  });
}
