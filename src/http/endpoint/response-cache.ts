import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Caller } from '../../api-keys/verify-token.ts';
import { Cache } from '../../shared/cache.ts';
import type { GateStep } from '../gate/gate.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { queuedRequest } from '../gate/request-queue.ts';
import { contextOf, REFUSED_EARLY } from '../request-context.ts';
import { OVERLOADED } from '../responses/request-errors.ts';
import { type PreparedResponse, writeResponse } from '../responses/respond.ts';
import { refuse } from '../responses/send-error.ts';
import { type KeyUseServices, recordKeyUse } from './admit-key.ts';
import type { AuthenticationServices, KeyCaller } from './authenticate.ts';

/** Most of these bytes belong to pages that `ProductLister` caches anyway. */
const CAPACITY_BYTES = 32 * 1024 * 1024;

type CacheServices = AuthenticationServices & KeyUseServices & { overloadControl: OverloadControl };

/** A stored response, and what a request must match to get it. */
export interface CachedResponse {
  acceptEncoding: string | undefined;
  token: string;
  merchantId: number;
  /** The revision of the catalog that the response shows. */
  revision: number;
  /** The key's, which decide without a `Tradepost-Fields` header. */
  fields: RecordFields;
  response: PreparedResponse;
  route: string;
}

/**
 * Caches responses of read endpoints by request target, token and fields. A repeated request is not even
 * parsed, if its token is still valid and the catalog still has the response's revision.
 */
export class ResponseCache {
  readonly #services: CacheServices;
  readonly #responses = new Cache<CachedResponse>(CAPACITY_BYTES);

  constructor(services: CacheServices) {
    this.#services = services;
  }

  /**
   * Sends the cached response if it is valid; other requests continue as usual. When the time of this turn of
   * the event loop is used up, a cached response waits in its queue first, and may be refused.
   */
  readonly step: GateStep = (request, response, next) => {
    const cached = this.#find(request);
    if (cached === undefined) return next(request, response);
    const respond = (caller: Caller | undefined): void => {
      if (!this.#send(request, response, caller, cached)) next(request, response);
    };
    const verify = (): void => {
      const remembered = this.#recall(cached.token);
      if (remembered !== undefined) respond(remembered);
      else this.#services.verifier.verify(cached.token).then(respond, () => respond(undefined));
    };
    const { overloadControl } = this.#services;
    if (overloadControl.mayStartInThisTurn()) return verify();
    // Many simultaneous requests would block the event loop.
    overloadControl
      .run(async () => {}, queuedRequest(this.#services, request))
      .then(verify, () => {
        contextOf(request).route = REFUSED_EARLY;
        refuse(request, response, OVERLOADED);
      });
  };

  /** `key` is the caller's. Responses to sessions, which have none, are not kept. */
  offer(
    request: FastifyRequest,
    {
      key: caller,
      ...response
    }: Omit<CachedResponse, 'acceptEncoding' | 'route' | 'token' | 'fields'> & {
      key: Pick<KeyCaller<Scope>, 'token' | 'fields'> | undefined;
    },
  ): void {
    const key = cacheKeyOf(request.raw);
    if (key === undefined || caller === undefined) return;
    const { token, fields } = caller;
    const { route } = contextOf(request.raw);
    const acceptEncoding = request.headers['accept-encoding'];
    const bytes = response.response.bytes.length + key.length;
    this.#responses.offer(key, { ...response, token, fields, route, acceptEncoding }, bytes);
  }

  #recall(token: string): Caller | undefined {
    try {
      return this.#services.verifier.recall(token);
    } catch {
      // The request continues as usual, and the error is handled there.
      return undefined;
    }
  }

  #find(request: IncomingMessage): CachedResponse | undefined {
    const { headers } = request;
    const key = cacheKeyOf(request);
    const cached = key === undefined ? undefined : this.#responses.get(key);
    return cached?.acceptEncoding === headers['accept-encoding'] ? cached : undefined;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    cached: CachedResponse,
  ): boolean {
    if (caller === undefined || caller.catalogRevision !== cached.revision) return false;
    // The key's scopes may have changed, and the token may belong to another key or merchant by now.
    if (caller.merchantId !== cached.merchantId || !caller.scopes.includes('read')) return false;
    if (caller.fields !== cached.fields) return false;
    const { limits, metrics, unreadBytes } = this.#services;
    if (unreadBytes.isUsedUp(caller.merchantId)) return false;
    if (!limits.byKey.takeNow(caller.key, caller.requestLimit)) return false;
    recordKeyUse(this.#services, request, caller);
    contextOf(request).route = cached.route;
    metrics.cachedResponse();
    writeResponse(request, response, cached.response);
    return true;
  }
}

/**
 * The request's target, and its headers `Authorization` and `Tradepost-Fields`. Undefined if these do not
 * identify it: for methods other than GET and HEAD, without a Host, with post data, or with
 * `Tradepost-Simulate`.
 */
function cacheKeyOf({ method, headers, url }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.host === undefined) return undefined;
  // It may ask for something other than the response.
  if (headers['tradepost-simulate'] !== undefined) return undefined;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  const fields = headers['tradepost-fields'];
  // A target has no spaces, and a header no line feeds.
  const target = headers.authorization === undefined ? url : `${headers.authorization} ${url}`;
  return fields === undefined ? target : `${fields}\n${target}`;
}
