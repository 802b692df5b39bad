import type { RequestListener } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';
import { contextOf } from '../request-context.ts';

/** What stands for the status of a request whose caller went away before it had all of the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * A listener that hands each request on, and when it is over counts it and writes one line to the log: its
 * id, key, method, route, status, milliseconds and the caller's address. Nothing that it asked for.
 */
export function observeRequests(
  listener: RequestListener,
  { metrics, logger, addressOf }: Watch,
): RequestListener {
  const logs = logger.isLevelEnabled?.('info') ?? true;
  return (request, response) => {
    const context = contextOf(request);
    // Asked for now: a connection that is closed has no address any more.
    const address = logs ? addressOf(request) : undefined;
    const tell = (status: number): void => {
      const ms = performance.now() - context.startedAt;
      const { method = '' } = request;
      metrics.request(context.route, method, status, ms / 1000);
      if (!logs) return;
      const { id: reqId, keyId, route } = context;
      logger.info(
        { reqId, key: keyId, method, route, status, ms: Math.round(ms * 1000) / 1000, address },
        'request',
      );
    };
    listener(request, response);
    // What is known by heart is answered already: nothing is left to wait for.
    if (response.writableEnded) tell(response.statusCode);
    else
      response.on('close', () =>
        tell(response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST),
      );
  };
}

interface Watch {
  metrics: Metrics;
  logger: FastifyBaseLogger & { isLevelEnabled?: (level: string) => boolean };
  addressOf: (request: Parameters<RequestListener>[0]) => string;
}
