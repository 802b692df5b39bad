import type { IncomingMessage } from 'node:http';
import { requestId } from './request-id.ts';

/** What is told of a request when it is over: in the log, in the metrics. Never what it asked for. */
export interface RequestContext {
  /** The request's id. */
  id: string;
  /** As `performance.now()` has it. */
  startedAt: number;
  /** The pattern of the address, such as `/v1/products.json`. */
  route: string;
  /** The key that it came with, once its token is known to be good. */
  keyId: string | undefined;
  /** Fields that its answer tells the caller of its limit with, as a flat list of names and values. */
  rateLimitHeaders: readonly string[];
  /** Counts bytes of the answer as not read by its caller until the function that it returns is called. */
  holdUnread: ((bytes: number) => () => void) | undefined;
}

declare module 'node:http' {
  interface IncomingMessage {
    context?: RequestContext;
  }
}

/** What stands for the route of a request to an address where nothing is. */
export const UNKNOWN_ROUTE = '(none)';
/** The same of what is turned away before its address is looked at. */
export const REFUSED_EARLY = '(turned away)';
/** The same of what came by plain HTTP where TLS is spoken. */
export const PLAIN_HTTP = '(plain HTTP)';

/** The context of a request; it begins when it is first asked for. */
export function contextOf(request: IncomingMessage): RequestContext {
  request.context ??= {
    id: requestId(request.headers['x-request-id']),
    startedAt: performance.now(),
    route: UNKNOWN_ROUTE,
    keyId: undefined,
    rateLimitHeaders: [],
    holdUnread: undefined,
  };
  return request.context;
}
