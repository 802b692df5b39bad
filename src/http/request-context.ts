import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KeyNumbers } from '../api-keys/key-id.ts';
import type { Caller } from '../api-keys/verify-token.ts';
import type { DomainError } from '../errors/domain-error.ts';
import type { RequestHeader } from './endpoint/declaration.ts';
import type { RawParameters } from './parameters/raw-parameters.ts';

/** Facts about a request that its handling collects, for the response, the log and the metrics. */
export interface RequestContext {
  readonly id: string;
  /** In milliseconds, as `performance.now()` returns them. */
  readonly startedAt: number;
  readonly isHttps: boolean;
  /** Whether the console's pages get the response: other origins may not read it, and it is not stored. */
  isConsole: boolean;
  /** Such as `/v1/products.json`. */
  route: string;
  /** The key that sends it, once its token is known to be valid. */
  caller: Pick<Caller, 'merchantId' | 'keyId' | 'key' | 'requestLimit'> | undefined;
  /** Where a call of v1 sent its valid token; undefined before it is verified, and for other calls. */
  tokenPlace: 'header' | 'parameters' | undefined;
  /** The key of a token that is no longer valid, only for the merchant's log of requests. */
  refusedKey: KeyNumbers | undefined;
  /** Only their names may be logged. */
  parameters: RawParameters | undefined;
  /** The error that it got. */
  error: DomainError | undefined;
  /** Headers that tell the client its rate limit, as a flat list of names and values. */
  rateLimitHeaders: readonly string[];
  /** Counts bytes of the response as unread by the client until the returned function is called. */
  holdUnread: ((bytes: number) => () => void) | undefined;
  /** Whether the body may exceed the server's time limit, because its reader has its own. */
  hasSlowBody: boolean;
  /** What `simulate` did: only a delay, or its end. Metrics leave it out, so that it raises no alarm. */
  simulated: 'delay' | 'end' | undefined;
}

declare module 'node:http' {
  interface IncomingMessage {
    context?: RequestContext;
  }
}

export const UNKNOWN_ROUTE = '(none)';
/** The route of a request that was refused before routing. docs/how-to/observe.md documents this label. */
export const REFUSED_EARLY = '(refused)';
/** A plain HTTP request to an HTTPS server. */
export const PLAIN_HTTP = '(plain HTTP)';

export function startContext(
  request: IncomingMessage,
  facts: Pick<RequestContext, 'isHttps' | 'isConsole'>,
): RequestContext {
  request.context = {
    id: requestId(request.headers['x-request-id']),
    startedAt: performance.now(),
    isHttps: facts.isHttps,
    isConsole: facts.isConsole,
    route: UNKNOWN_ROUTE,
    caller: undefined,
    tokenPlace: undefined,
    refusedKey: undefined,
    parameters: undefined,
    error: undefined,
    rateLimitHeaders: [],
    holdUnread: undefined,
    hasSlowBody: false,
    simulated: undefined,
  };
  return request.context;
}

/** Returns the context that `startContext` created for a request. @throws {Error} if there is none */
export function contextOf({ context }: IncomingMessage): RequestContext {
  if (context === undefined) throw new Error('The request has no context.');
  return context;
}

const REQUEST_ID_PATTERN = /^[\w.:/+=@-]{1,128}$/;

export const requestIdHeader: RequestHeader = {
  description:
    'An id of the caller’s choice, which is returned with the response. A malformed id is replaced by a new one.',
  schema: { type: 'string', pattern: REQUEST_ID_PATTERN.source },
  example: 'order-sync-2026-03-02-17',
};

function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}

export const problemsHeader: RequestHeader = {
  description: 'With `true`, an error about fields also has `problems`: what is wrong with each of them.',
  schema: { type: 'string' },
  example: 'true',
};

/** Whether the caller wants to know, as data, what is wrong with each field. */
export function wantsProblems({ headers }: IncomingMessage): boolean {
  return headers['tradepost-problems'] === 'true';
}
