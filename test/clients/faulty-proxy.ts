import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestService } from '../support/service.ts';

/**
 * `drop-request` and `drop-response` close the connection, before the request or before the response.
 * `truncate` closes it halfway through the response's body. `hang` never responds.
 */
export type Fault = 'pass' | 'drop-request' | 'drop-response' | 'truncate' | 'hang';

/** Stands in front of a service, with the same certificate. */
export class FaultyProxy {
  /** The faults of the next requests, in order. Requests after them pass. */
  faults: Fault[] = [];
  /** The Idempotency-Key of each received request, if any. */
  readonly keys: (string | undefined)[] = [];
  readonly #service: TestService;
  readonly #server: Server;

  private constructor(service: TestService, server: Server) {
    this.#service = service;
    this.#server = server;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async start(service: TestService): Promise<FaultyProxy> {
    const [cert, key] = await Promise.all(
      ['tls-cert.pem', 'tls-key.pem'].map((name) => readFile(join(service.config.dataDirectory, name))),
    );
    const proxy = new FaultyProxy(service, createServer({ cert, key }));
    await new Promise<void>((listening) => proxy.#server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}${this.#service.config.basePath}`;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    const fault = this.faults.shift() ?? 'pass';
    const { 'idempotency-key': key, 'content-type': type = '', authorization = '' } = request.headers;
    this.keys.push(typeof key === 'string' ? key : undefined);
    if (fault === 'hang') return;
    if (fault === 'drop-request') return void request.socket.destroy();
    const headers = {
      'content-type': type,
      authorization,
      ...(typeof key === 'string' && { 'idempotency-key': key }),
    };
    const options = body.length > 0 ? { headers, body } : { headers: { authorization } };
    const upstream = await this.#service.client.request(request.method ?? '', request.url ?? '', options);
    if (fault === 'drop-response') return void request.socket.destroy();
    const { connection: _, ...responseHeaders } = upstream.headers;
    response.writeHead(upstream.status, responseHeaders);
    if (fault === 'pass') return void response.end(upstream.bytes);
    response.write(upstream.bytes.subarray(0, upstream.bytes.length / 2), () => request.socket.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
