import type { RequestListener } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from './metrics.ts';
import { trailOf } from './trail.ts';

/** What stands for the status of a request whose caller went away before it had all of the answer. */
const CALLER_GONE = 499;

/**
 * A listener that hands each request on, and when it is over counts it and writes one line to the log: its
 * id, key, method, route, status, milliseconds and the caller's address. Nothing that it asked for.
 */
export function watchRequests(
  listener: RequestListener,
  { metrics, logger, addressOf }: Watch,
): RequestListener {
  const logs = logger.isLevelEnabled?.('info') ?? true;
  return (request, response) => {
    const trail = trailOf(request);
    // Asked for now: a connection that is closed has no address any more.
    const address = logs ? addressOf(request) : undefined;
    const tell = (status: number): void => {
      const ms = performance.now() - trail.begun;
      const { method = '' } = request;
      metrics.request(trail.route, method, status, ms / 1000);
      if (!logs) return;
      const { id: reqId, key, route } = trail;
      logger.info(
        { reqId, key, method, route, status, ms: Math.round(ms * 1000) / 1000, address },
        'request',
      );
    };
    listener(request, response);
    // What is known by heart is answered already: nothing is left to wait for.
    if (response.writableEnded) tell(response.statusCode);
    else response.on('close', () => tell(response.writableFinished ? response.statusCode : CALLER_GONE));
  };
}

interface Watch {
  metrics: Metrics;
  logger: FastifyBaseLogger & { isLevelEnabled?: (level: string) => boolean };
  addressOf: (request: Parameters<RequestListener>[0]) => string;
}
