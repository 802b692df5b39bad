import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../api-keys/verify-token.ts';
import { Cache } from '../cache.ts';
import { type Answer, writeAnswer } from './answer.ts';
import { admit, type Gatekeepers } from './endpoint.ts';
import { requestId } from './request-id.ts';

/** Its bytes are mostly those of the pages that are kept anyway. */
const CAPACITY_BYTES = 32 * 1024 * 1024;

/** An answer to a request that may come again, letter for letter. */
export interface KnownAnswer {
  /** As the request sent it: the answer is in an encoding that it accepts. */
  acceptEncoding: string | undefined;
  token: string;
  /** The catalog's revision that the answer is of. */
  revision: number;
  answer: Answer;
}

/**
 * Answers of reading endpoints by the request's address. A request that was
 * answered before is answered again without being parsed, provided that the token is still good and the
 * catalog's revision is still the answer's, both read for this very request.
 */
export class KnownAnswers {
  readonly #gatekeepers: Gatekeepers;
  readonly #answers = new Cache<KnownAnswer>(CAPACITY_BYTES);

  constructor(gatekeepers: Gatekeepers) {
    this.#gatekeepers = gatekeepers;
  }

  /**
   * Sends the known answer to this request, if there is one that holds; true if it did. To be asked
   * before all else, and only where HTTPS is certain: whatever it declines goes the whole way.
   */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request;
    const url = addressOf(request);
    const known = url === undefined ? undefined : this.#answers.get(url);
    if (known === undefined || known.acceptEncoding !== headers['accept-encoding']) return false;
    // What a proxy says of the request is not weighed here.
    if (headers['x-forwarded-proto'] !== undefined) return false;
    const caller = this.#recall(known.token);
    if (caller === undefined || caller.catalogRevision !== known.revision) return false;
    if (admit(this.#gatekeepers, caller, headers) > 0) return false;
    writeAnswer(request, response, requestId(headers['x-request-id']), known.answer);
    return true;
  }

  #recall(token: string): Caller | undefined {
    try {
      return this.#gatekeepers.verifier.recall(token);
    } catch {
      // Nobody would catch it here: the request goes the whole way, and there it is answered.
      return undefined;
    }
  }

  remember(request: FastifyRequest, answer: Omit<KnownAnswer, 'acceptEncoding'>): void {
    const url = addressOf(request.raw);
    if (url === undefined) return;
    const known = { ...answer, acceptEncoding: request.headers['accept-encoding'] };
    this.#answers.offer(url, known, answer.answer.bytes.length + url.length);
  }
}

/** Undefined for a request that its address does not tell: of another method, without Host, with post data. */
function addressOf({ method, headers, url }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.host === undefined) return undefined;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  return url;
}
