import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { type Config, SettingError } from '../config.ts';
import { pathOf } from '../http/gate/request-target.ts';
import type { Health } from './health.ts';

/** Where health are told. */
export interface VitalsServer {
  /** Null where they are told nowhere. */
  url: string | null;
  close(): Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, as METRICS_ADDRESS says. Where nobody asked for the place and
 * another program has it, as a second service on one machine finds, it says so and goes on without.
 * @throws {SettingError} where somebody asked for a place that cannot be had
 */
export async function serveHealth(
  { metrics: place }: Pick<Config, 'metrics'>,
  health: Health,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): Promise<VitalsServer> {
  if (place === null) return { url: null, close: async () => {} };
  const server = createServer(
    { requestTimeout: 5_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    answering(health, logger),
  );
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    const reason = `METRICS_ADDRESS is ${place.host}:${place.port}, which cannot be listened on: ${codeOf(error)}`;
    if (place.asked) throw new SettingError(`${reason}.`);
    logger.warn(`${reason}; going on without metrics`);
    return { url: null, close: async () => {} };
  }
  // Whoever stops the service waits for its requests, not for this.
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : place.port;
  return {
    url: `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answering(health: Health, logger: Pick<FastifyBaseLogger, 'error'>): RequestListener {
  return (request, response) => {
    const send = ({ status, type = 'text/plain; charset=utf-8', body }: Answer): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    const readOnly = request.method === 'GET' || request.method === 'HEAD';
    const answer = readOnly ? answers[pathOf(request.url)] : undefined;
    if (answer === undefined) return send({ status: 404, body: 'GET /healthz, /readyz or /metrics.\n' });
    answer(health).then(send, (error) => {
      logger.error({ err: error }, 'metrics not told');
      send({ status: 500, body: 'The figures cannot be told: the log says why.\n' });
    });
  };
}

interface Answer {
  status: number;
  type?: string;
  body: string;
}

const answers: Record<string, ((health: Health) => Promise<Answer>) | undefined> = {
  '/healthz': async () => ({ status: 200, body: 'alive\n' }),
  '/readyz': async (health) => {
    const trouble = await health.unreadyReason();
    return trouble === null ? { status: 200, body: 'ready\n' } : { status: 503, body: `${trouble}\n` };
  },
  '/metrics': async (health) => ({
    status: 200,
    type: Registry.PROMETHEUS_CONTENT_TYPE,
    body: await AggregatorRegistry.aggregate(await health.metrics()).metrics(),
  }),
};

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'another program has it';
  return error instanceof Error ? error.message : 'unknown error';
}
