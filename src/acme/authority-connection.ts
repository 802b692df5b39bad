import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { messageOf } from '../shared/error-message.ts';
import { readBounded } from '../shared/read-bounded.ts';
import { AcmeError } from './errors.ts';

export interface AuthorityRequest {
  method: 'GET' | 'HEAD' | 'POST';
  url: string;
  /** JSON, for `POST`. */
  body?: string;
}

export interface AuthorityResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1 << 20;

/** Sends requests to the authority over HTTPS, and follows no redirects. To be closed. */
export class AuthorityConnection {
  readonly #agent: Agent;
  readonly #signal: AbortSignal;

  /** `ca` are trusted root certificates in PEM; null for those that Node.js trusts. */
  constructor({ ca, signal }: { ca: string | null; signal: AbortSignal }) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ...(ca !== null && { ca }) });
    this.#signal = signal;
  }

  /** Resolves to the response, whatever its status is. @throws {AcmeError} if there is none in 30 seconds */
  async send({ method, url, body }: AuthorityRequest): Promise<AuthorityResponse> {
    const target = URL.parse(url);
    if (target?.protocol !== 'https:')
      throw new AcmeError('unreachable', 'the authority names an address without https://');
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const sent = httpsRequest(target, {
        method,
        agent: this.#agent,
        signal: AbortSignal.any([this.#signal, timeout]),
        headers: {
          'user-agent': 'Tradepost',
          ...(body !== undefined && {
            'content-type': 'application/jose+json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      });
      // An error after the response has begun is an error of the response, too.
      sent.on('error', () => {});
      sent.end(body);
      const [response]: IncomingMessage[] = await once(sent, 'response');
      if (response === undefined) throw new Error('no response');
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: await readText(response),
      };
    } catch (error) {
      const reason = timeout.aborted ? 'no response in time' : messageOf(error);
      throw new AcmeError('unreachable', `${target.host} cannot be reached: ${reason}`, { cause: error });
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const body = await readBounded(response, MAX_BYTES);
  if (body === undefined) throw new Error('the response is too large');
  return body.toString();
}
