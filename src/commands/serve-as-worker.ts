import type { Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import { Metrics } from '../observability/metrics.ts';
import { openServiceDatabase, type Service, startService } from '../service.ts';
import { activatedSockets } from '../shared/activated-sockets.ts';
import { respondToPrimary } from '../workers/requests.ts';
import type { StartReport } from '../workers/worker-process.ts';
import { type Context, openLog } from './context.ts';
import { explain } from './explain.ts';
import { onHangup } from './until-signal.ts';

/** Serves what the primary process gives this one, until that process releases it or ends. */
export async function serveAsWorker(context: Context, config: Config, worker: Worker): Promise<void> {
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
      // systemd passed them to the primary process.
      sockets: activatedSockets(context.environment, process.ppid),
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
