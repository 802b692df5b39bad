import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { type Config, SettingError } from '../config.ts';
import { listenOnSocket } from '../shared/activated-sockets.ts';
import { messageOf } from '../shared/error-message.ts';
import type { Health } from './health.ts';

interface HealthServer {
  /** Null if there is no server. */
  url: string | null;
  close(): Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` at METRICS_ADDRESS. If the default address is in use, as by
 * another Tradepost, logs a warning and continues without them. `socket` is the descriptor of a socket of
 * systemd to use instead.
 * @throws {SettingError} if METRICS_ADDRESS is set and cannot be listened on, or `socket` cannot be used
 */
export async function serveHealth(
  { metrics: address }: Pick<Config, 'metrics'>,
  health: Health,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  socket?: number,
): Promise<HealthServer> {
  if (address === null) {
    if (socket === undefined) return { url: null, close: async () => {} };
    throw new SettingError(
      'systemd listens on a socket for metrics: set METRICS_ADDRESS, or disable the unit of the socket.',
    );
  }
  const server = createServer(
    { requestTimeout: 5_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    respondWith(health, logger),
  );
  try {
    if (socket !== undefined)
      await listenOnSocket(server, socket, { ...address, settings: 'METRICS_ADDRESS states' });
    else {
      server.listen(address.port, address.host);
      await once(server, 'listening');
    }
  } catch (error) {
    if (error instanceof SettingError) throw error;
    const reason = `METRICS_ADDRESS is ${address.host}:${address.port}, which cannot be listened on: ${describe(error)}`;
    if (!address.isDefault) throw new SettingError(`${reason}.`);
    logger.warn(`${reason}; continuing without metrics`);
    return { url: null, close: async () => {} };
  }
  // A shutdown waits for the service's requests, not for this server.
  server.unref();
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respondWith(health: Health, logger: Pick<FastifyBaseLogger, 'error'>): RequestListener {
  return (request, response) => {
    const send = ({ status, type = 'text/plain; charset=utf-8', body }: HealthResponse): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    const readOnly = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?', 1)[0] ?? '';
    const respond = readOnly ? responses[path] : undefined;
    if (respond === undefined) return send({ status: 404, body: 'GET /healthz, /readyz or /metrics.\n' });
    respond(health).then(send, (error) => {
      logger.error({ err: error }, 'metrics could not be collected');
      send({ status: 500, body: 'The metrics could not be collected. See the log for the reason.\n' });
    });
  };
}

interface HealthResponse {
  status: number;
  type?: string;
  body: string;
}

const responses: Record<string, ((health: Health) => Promise<HealthResponse>) | undefined> = {
  '/healthz': async () => ({ status: 200, body: 'alive\n' }),
  '/readyz': async (health) => {
    const reason = await health.unreadyReason();
    return reason === null ? { status: 200, body: 'ready\n' } : { status: 503, body: `${reason}\n` };
  },
  '/metrics': async (health) => ({
    status: 200,
    type: Registry.PROMETHEUS_CONTENT_TYPE,
    body: await AggregatorRegistry.aggregate(await health.metrics()).metrics(),
  }),
};

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' ? 'another program uses it' : messageOf(error);
}
