import type { IncomingMessage } from 'node:http';
import { requestId } from '../http/request-id.ts';

/** What is told of a request when it is over: in the log, in the metrics. Never what it asked for. */
export interface Trail {
  /** The request's id. */
  id: string;
  /** As `performance.now()` has it. */
  begun: number;
  /** The pattern of the address, such as `/v1/products.json`. */
  route: string;
  /** The key that it came with, once its token is known to be good. */
  key: string | undefined;
  /** Fields that its answer tells the caller of its limit with, as a flat list of names and values. */
  limitHeaders: readonly string[];
  /** Counts bytes of the answer as not read by its caller until the function that it returns is called. */
  holdUnread: ((bytes: number) => () => void) | undefined;
}

declare module 'node:http' {
  interface IncomingMessage {
    trail?: Trail;
  }
}

/** What stands for the route of a request to an address where nothing is. */
export const NO_ROUTE = '(none)';
/** The same of what is turned away before its address is looked at. */
export const TURNED_AWAY = '(turned away)';
/** The same of what came by plain HTTP where TLS is spoken. */
export const PLAIN_HTTP = '(plain HTTP)';

/** The trail of a request; it begins when it is first asked for. */
export function trailOf(request: IncomingMessage): Trail {
  request.trail ??= {
    id: requestId(request.headers['x-request-id']),
    begun: performance.now(),
    route: NO_ROUTE,
    key: undefined,
    limitHeaders: [],
    holdUnread: undefined,
  };
  return request.trail;
}
