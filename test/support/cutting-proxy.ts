import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestService } from './service.ts';

/**
 * What becomes of a request: `pass` and its answer comes back; `refuse` and it is cut before the service sees
 * it; `lose` and the connection is cut when the service has answered; `halve` and it is cut in the midst of the
 * answer; `hang` and nothing comes back.
 */
export type Fate = 'pass' | 'refuse' | 'lose' | 'halve' | 'hang';

/** Stands before a service under the same certificate, and cuts connections as the test says. */
export class CuttingProxy {
  /** What becomes of the next requests, first to last; those after them pass. */
  fates: Fate[] = [];
  /** The Idempotency-Key of each request that came, undefined where it had none. */
  readonly keys: (string | undefined)[] = [];
  readonly #service: TestService;
  readonly #server: Server;

  private constructor(service: TestService, server: Server) {
    this.#service = service;
    this.#server = server;
    server.on('request', (request, response) => void this.#meet(request, response));
  }

  static async start(service: TestService): Promise<CuttingProxy> {
    const [cert, key] = await Promise.all(
      ['tls-cert.pem', 'tls-key.pem'].map((name) => readFile(join(service.config.dataDirectory, name))),
    );
    const proxy = new CuttingProxy(service, createServer({ cert, key }));
    await new Promise<void>((listening) => proxy.#server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}${this.#service.config.basePath}`;
  }

  async #meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    const fate = this.fates.shift() ?? 'pass';
    const { 'idempotency-key': key, 'content-type': type = '' } = request.headers;
    this.keys.push(typeof key === 'string' ? key : undefined);
    if (fate === 'hang') return;
    if (fate === 'refuse') return void request.socket.destroy();
    const headers = { 'content-type': type, ...(typeof key === 'string' && { 'idempotency-key': key }) };
    const sent = body.length > 0 ? { headers, body } : {};
    const answer = await this.#service.client.request(request.method ?? '', request.url ?? '', sent);
    if (fate === 'lose') return void request.socket.destroy();
    const { connection: _, ...answered } = answer.headers;
    response.writeHead(answer.status, answered);
    if (fate === 'pass') return void response.end(answer.bytes);
    response.write(answer.bytes.subarray(0, answer.bytes.length / 2), () => request.socket.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
