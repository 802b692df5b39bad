import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/open-database.ts';
import { loadTls } from '../http/tls/files.ts';
import { Metrics } from '../observability/metrics.ts';
import { serveHealth } from '../observability/serve-health.ts';
import { type Service, startService } from '../service.ts';
import { answerQuestions } from '../workers/questions.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { Report } from '../workers/worker-process.ts';
import { type Context, openLog } from './context.ts';
import { explain } from './explain.ts';
import { onHangup, untilSignal } from './until-signal.ts';

/**
 * Serves with several processes: this one, the primary, only deals the connections out among workers,
 * which run the same command line again and end up here too.
 */
export async function serveWithWorkers(context: Context, config: Config): Promise<void> {
  if (cluster.worker === undefined) await serveAsPrimary(context, config);
  else await serveAsWorker(context, config, cluster.worker);
}

async function serveAsPrimary(context: Context, config: Config): Promise<void> {
  const log = openLog(config);
  const pool = new WorkerPool(config.workers, log);
  onHangup(() => pool.reread());
  // What is to be made once is there before the first worker looks for it.
  const database = await openDatabase(config, context.now(), (line) => log.warn(line));
  await database.close();
  await loadTls(config, context.now());
  const baseUrl = await pool.start();
  const health = await serveHealth(config, pool, log).catch(async (error) => {
    await pool.stop();
    throw error;
  });
  // Before it says that it serves: whoever waits for that may stop it at once.
  const stopped = untilSignal(() => pool.kill());
  log.info({ baseUrl, workers: config.workers, metrics: health.url }, 'serving');
  await stopped;
  log.info('stopping: requests under way are answered first');
  await pool.stop();
  await health.close();
}

async function serveAsWorker(context: Context, config: Config, worker: Worker): Promise<void> {
  // Ctrl-C reaches every process of the terminal. When to stop is for the primary to say.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // What could not be told to a primary that has gone; `disconnect` follows.
  worker.on('error', () => {});
  const log = openLog(config).child({ pid: process.pid });
  let service: Service;
  try {
    const database = await openDatabase(config, context.now(), (line) => log.warn(line));
    service = await startService(config, database, log, context.now, new Metrics().ofProcess());
  } catch (error) {
    await tell(worker, { failed: explain(error) });
    process.exit(1);
  }
  answerQuestions(worker, service.health);
  const release = released(worker);
  onHangup(() => void service.reread());
  await tell(worker, { serving: service.baseUrl });
  await release;
  await service.close();
}

function tell(worker: Worker, report: Report): Promise<void> {
  return new Promise((resolve) => void worker.send(report, () => resolve()));
}

/** Resolves once the primary process has let go of this one, or is gone. */
async function released(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    worker.once('disconnect', () => {
      // Without this, Node would end the process here and now.
      worker.exitedAfterDisconnect = true;
      resolve();
    });
  });
}
