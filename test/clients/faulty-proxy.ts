import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientResponse } from '../support/client.ts';
import type { TestService } from '../support/service.ts';

/** A response of something else than the service, such as a proxy. */
interface OtherResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * `drop-request` and `drop-response` close the connection, before the request or before the response.
 * `truncate` closes it halfway through the response's body. `hang` never responds, and `drip` sends the body
 * a byte at a time. `simulate` lets the service simulate an error, whatever the client sent.
 */
export type Fault =
  | 'pass'
  | 'drop-request'
  | 'drop-response'
  | 'truncate'
  | 'hang'
  | 'drip'
  | { simulate: string }
  | { respond: OtherResponse };

export interface ProxiedRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** The status of the response that was sent; null if none was. */
  status: number | null;
}

/** Stands in front of a service, with the same certificate. */
export class FaultyProxy {
  /** The faults of the next requests, in order. Requests after them pass. */
  faults: Fault[] = [];
  /** The requests received, in order. */
  readonly requests: ProxiedRequest[] = [];
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

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}`;
  }

  get baseUrl(): string {
    return `${this.origin}${this.#service.config.basePath}`;
  }

  /** The Idempotency-Key of each received request, if any. */
  get keys(): (string | undefined)[] {
    return this.requests.map(({ headers }) => headers['idempotency-key']);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    const { host, connection, 'transfer-encoding': _, ...received } = request.headers;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(received))
      if (typeof value === 'string') headers[name] = value;
    const record: ProxiedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body: '',
      status: null,
    };
    this.requests.push(record);
    const fault = this.faults.shift() ?? 'pass';
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
      record.body = body.toString();
      if (fault === 'hang') return;
      if (fault === 'drop-request') return void request.socket.destroy();
      if (typeof fault === 'object' && 'simulate' in fault) headers['tradepost-simulate'] = fault.simulate;
      const upstream =
        typeof fault === 'object' && 'respond' in fault
          ? otherResponse(fault.respond)
          : await this.#service.client.request(record.method, request.url ?? '', {
              headers,
              signal: gone.signal,
              ...(body.length > 0 && { body }),
            });
      if (fault === 'drop-response') return void request.socket.destroy();
      const { connection: _, ...responseHeaders } = upstream.headers;
      record.status = upstream.status;
      response.writeHead(upstream.status, responseHeaders);
      if (fault === 'drip') return await drip(upstream.bytes, response);
      if (fault !== 'truncate') return void response.end(upstream.bytes);
      response.write(upstream.bytes.subarray(0, upstream.bytes.length / 2), () => request.socket.destroy());
    } catch {
      // The client has gone, or the service closed its connection.
      request.socket.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Ends when the client has gone. */
async function drip(bytes: Buffer, response: ServerResponse): Promise<void> {
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(100);
  }
  response.end();
}

function otherResponse({
  status,
  headers = {},
  body,
}: OtherResponse): Pick<ClientResponse, 'status' | 'headers' | 'bytes'> {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const bytes = Buffer.from(status === 204 ? '' : text);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return { status, headers: { 'content-type': type, ...headers }, bytes };
}
