import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';
import { type RequestContext, startContext } from '../request-context.ts';
import type { GateStep } from './gate.ts';

/** For a request whose client disconnected before it had received the whole response. */
const CLIENT_CLOSED_REQUEST = 499;

interface ObserveOptions {
  metrics: Metrics;
  logger: FastifyBaseLogger & { isLevelEnabled?: (level: string) => boolean };
  addressOf: (request: IncomingMessage) => string;
  recordRequest: (request: IncomingMessage, status: number) => void;
  classify: (request: IncomingMessage) => Pick<RequestContext, 'isHttps' | 'isConsole'>;
  /** The headers of every response of the console. */
  consoleHeaders: ReadonlyMap<string, string>;
}

/**
 * Starts the context of each request. Counts it when it is over, and logs its id, its API key's id, method,
 * route, status, duration in milliseconds and client address, but no parameters. Simulated errors and delays
 * are logged as such and not counted.
 */
export function observeRequests(options: ObserveOptions): GateStep {
  const { metrics, logger, addressOf, recordRequest, classify, consoleHeaders } = options;
  const headers = new Map(consoleHeaders);
  const isLogged = logger.isLevelEnabled?.('info') ?? true;
  return (request, response, next) => {
    const context = startContext(request, classify(request));
    // Plain HTTP is refused without these headers. Browsers ignore Strict-Transport-Security there.
    if (context.isConsole && context.isHttps) response.setHeaders(headers);
    // Read now, because a closed connection no longer has an address.
    const address = isLogged ? addressOf(request) : undefined;
    const record = (status: number): void => {
      const ms = performance.now() - context.startedAt;
      const { method = '' } = request;
      if (context.simulated === undefined) metrics.request(context.route, method, status, ms / 1000);
      if (!context.isConsole) recordRequest(request, status);
      if (!isLogged) return;
      const { id: reqId, caller, route } = context;
      const key = caller?.key;
      const simulated = context.simulated && true;
      logger.info(
        { reqId, key, method, route, status, ms: Math.round(ms * 1000) / 1000, address, simulated },
        'request',
      );
    };
    next(request, response);
    // Responses from the cache and refusals have already been ended.
    if (response.writableEnded) record(response.statusCode);
    else {
      response.on('close', () =>
        record(response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST),
      );
    }
  };
}
