import type { Config } from '../config.ts';
import { Metrics } from '../observability/metrics.ts';
import { serveHealth } from '../observability/serve-health.ts';
import { openServiceDatabase, type Service, startService } from '../service.ts';
import { activatedSockets } from '../shared/activated-sockets.ts';
import { announce } from './announce.ts';
import { type Context, openLog } from './context.ts';
import { newSetUpLink } from './set-up-link.ts';
import { onHangup, untilSignal } from './until-signal.ts';

/** Serves all requests in this process. */
export async function serveAlone(context: Context, config: Config): Promise<void> {
  const log = openLog(config);
  const sockets = activatedSockets(context.environment, process.pid);
  let running: Service | undefined;
  onHangup(() => void running?.reloadCertificate());
  const database = await openServiceDatabase(config, context.now(), (line) => log.warn(line));
  const service = await startService(config, database, log, context.now, {
    metrics: new Metrics().withProcessMetrics(),
    sockets,
  });
  running = service;
  const health = await serveHealth(config, service.health, log, sockets.metrics).catch(async (error) => {
    await service.close();
    throw error;
  });
  // First, because a supervisor may stop the service right after it is announced.
  const stopped = untilSignal();
  const setUpLink = await newSetUpLink(database, config, context.now).catch(async (error) => {
    // What listens keeps the process from exiting.
    await Promise.all([service.close(), health.close()]);
    throw error;
  });
  announce(context, log, config, { baseUrl: service.baseUrl, metrics: health.url, setUpLink });
  await stopped;
  log.info('stopping after requests in progress');
  await service.close();
  await health.close();
}
