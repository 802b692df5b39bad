import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../api-keys/verify-token.ts';
import { Cache } from '../../shared/cache.ts';
import { type EndpointServices, identifyCaller } from '../endpoint/register.ts';
import { OVERLOADED } from '../gate/overload-control.ts';
import { queuedRequest } from '../gate/request-queue.ts';
import { contextOf } from '../request-context.ts';
import { type PreparedResponse, writeResponse } from './respond.ts';
import { sendErrorRaw } from './send-error.ts';

/** Its bytes are mostly those of the pages that are kept anyway. */
const CAPACITY_BYTES = 32 * 1024 * 1024;

/** An answer to a request that may come again, letter for letter. */
export interface CachedResponse {
  /** As the request sent it: the answer is in an encoding that it accepts. */
  acceptEncoding: string | undefined;
  token: string;
  /** The catalog's revision that the answer is of. */
  revision: number;
  response: PreparedResponse;
  /** The pattern of the address that answered. */
  route: string;
}

/**
 * Answers of reading endpoints by the request's address. A request that was
 * answered before is answered again without being parsed, provided that the token is still good and the
 * catalog's revision is still the answer's, both read for this very request.
 */
export class ResponseCache {
  readonly #services: EndpointServices;
  readonly #answers = new Cache<CachedResponse>(CAPACITY_BYTES);

  constructor(services: EndpointServices) {
    this.#services = services;
  }

  /**
   * A listener that sends the known answer to a request, if there is one that holds; all others, and those
   * that went wrong, go the whole way. It has to come before all else, and only where HTTPS is certain.
   */
  before(listener: RequestListener): RequestListener {
    return (request, response) => {
      const known = this.#find(request);
      if (known === undefined) {
        listener(request, response);
        return;
      }
      const answer = (caller: Caller | undefined): void => {
        if (!this.#send(request, response, caller, known)) listener(request, response);
      };
      const begin = (): void => {
        const recalled = this.#recall(known.token);
        if (recalled !== undefined) answer(recalled);
        else this.#services.verifier.verify(known.token).then(answer, () => answer(undefined));
      };
      const { overloadControl } = this.#services;
      if (overloadControl.hasTickTime()) begin();
      else {
        // Many simultaneous requests would keep the event loop away from everyone else.
        overloadControl
          .run(async () => {}, queuedRequest(this.#services, request))
          .then(begin, () => sendErrorRaw(request, response, OVERLOADED));
      }
    };
  }

  #recall(token: string): Caller | undefined {
    try {
      return this.#services.verifier.recall(token);
    } catch {
      // Nobody would catch it here: the request goes the whole way, and there it is answered.
      return undefined;
    }
  }

  #find(request: IncomingMessage): CachedResponse | undefined {
    const { headers } = request;
    // What a proxy says of the request is not weighed here.
    if (headers['x-forwarded-proto'] !== undefined) return undefined;
    const url = addressOf(request);
    const known = url === undefined ? undefined : this.#answers.get(url);
    return known?.acceptEncoding === headers['accept-encoding'] ? known : undefined;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    { revision, response: cached, route }: CachedResponse,
  ): boolean {
    if (caller === undefined || caller.catalogRevision !== revision) return false;
    const { limits, metrics, unreadBytes } = this.#services;
    if (unreadBytes.isUsedUp(caller.merchantId)) return false;
    if (!limits.byKey.takeNow(caller.key)) return false;
    identifyCaller(this.#services, request, caller);
    contextOf(request).route = route;
    metrics.knownAnswer();
    writeResponse(request, response, cached);
    return true;
  }

  remember(request: FastifyRequest, answer: Omit<CachedResponse, 'acceptEncoding' | 'route'>): void {
    const url = addressOf(request.raw);
    if (url === undefined) return;
    const { route } = contextOf(request.raw);
    const known = { ...answer, route, acceptEncoding: request.headers['accept-encoding'] };
    this.#answers.offer(url, known, answer.response.bytes.length + url.length);
  }
}

/** Undefined for a request that its address does not tell: of another method, without Host, with post data. */
function addressOf({ method, headers, url }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.host === undefined) return undefined;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  return url;
}
