import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

const TIMEOUT_MS = 30_000;

export interface TimedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** From sending the request to the last byte. */
  milliseconds: number;
}

/** Trusts the authorities of the system and of Node.js, and these certificates. */
export function trust(ca: string | undefined): SecureContext {
  const authorities = [...getCACertificates('default'), ...getCACertificates('system')];
  return createSecureContext({ ca: ca === undefined ? authorities : [...authorities, ca] });
}

/** Persistent; opened again when it is lost. */
export class Connection {
  readonly #baseUrl: URL;
  readonly #agent: Agent;

  constructor(baseUrl: URL, secureContext: SecureContext) {
    this.#baseUrl = baseUrl;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, secureContext });
  }

  /** The path is under the base URL. @throws {Error} if there is no response within 30 s */
  async get(path: string): Promise<TimedResponse> {
    const { hostname, port, pathname } = this.#baseUrl;
    const { promise, resolve, reject } = Promise.withResolvers<TimedResponse>();
    const start = performance.now();
    const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${path}` };
    const sent = request({ ...target, agent: this.#agent }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const milliseconds = performance.now() - start;
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks), milliseconds });
      });
    });
    const noResponse = Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => sent.destroy(noResponse), TIMEOUT_MS);
    sent.on('error', reject);
    sent.on('close', () => clearTimeout(timer));
    sent.end();
    return await promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
