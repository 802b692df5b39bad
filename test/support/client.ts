import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** At most one of `body`, `form`, `json` and `multipart` is set. */
export interface RequestOptions {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  form?: Record<string, string | number | boolean>;
  json?: unknown;
  multipart?: [name: string, value: string][];
  /** Closes the connection when it is aborted. */
  signal?: AbortSignal;
}

export class ClientResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as received, compressed or not. */
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The shape is not checked. */
  json<Shape>(): Shape {
    return JSON.parse(this.text) as Shape;
  }

  get message(): string {
    return this.json<{ message: string }>().message;
  }

  header(name: string): string {
    const value = this.headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
}

const BETWEEN_PARTS_MS = 50;
const BOUNDARY = 'tradepost-test-boundary';

/** Encodes fields as multipart/form-data. */
export function multipartBody(
  fields: [name: string, value: string][],
  boundary = BOUNDARY,
): { body: Buffer; contentType: string } {
  const quoted = (name: string): string =>
    name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function postData({
  body,
  form,
  json,
  multipart,
}: RequestOptions): { body: string | Buffer; contentType?: string } | undefined {
  if (body !== undefined) return { body };
  if (json !== undefined) return { body: JSON.stringify(json), contentType: 'application/json' };
  if (multipart !== undefined) return multipartBody(multipart);
  if (form === undefined) return undefined;
  const text = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]));
  return { body: text.toString(), contentType: 'application/x-www-form-urlencoded' };
}

/** A client of one service, with keep-alive connections. `ca` is null for plain HTTP. */
export class Client {
  readonly origin: URL;
  readonly #ca: string | null;
  readonly #agent: HttpAgent;

  /** Connections come from `localAddress`. */
  constructor(origin: string, ca: string | null, localAddress?: string) {
    this.origin = new URL(origin);
    this.#ca = ca;
    const options = { keepAlive: true, ...(localAddress !== undefined && { localAddress }) };
    this.#agent = ca === null ? new HttpAgent(options) : new HttpsAgent({ ...options, ca });
  }

  /** `path` is sent unchanged. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<ClientResponse> {
    const data = postData(options);
    const headers: Record<string, string | string[]> = {};
    if (data !== undefined) {
      headers['content-length'] = String(Buffer.byteLength(data.body));
      if (data.contentType !== undefined) headers['content-type'] = data.contentType;
    }
    Object.assign(headers, options.headers);
    const send = this.#ca === null ? httpRequest : httpsRequest;
    const { promise, resolve, reject } = Promise.withResolvers<ClientResponse>();
    const { hostname: host, port } = this.origin;
    const request = send(
      {
        agent: this.#agent,
        host,
        port,
        method,
        path,
        headers,
        ...(options.signal && { signal: options.signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve(new ClientResponse(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))),
        );
      },
    );
    request.on('error', reject);
    request.end(data?.body);
    return await promise;
  }

  /** Sends bytes unchanged, a list's parts 50 ms apart; resolves to everything received (Latin-1). */
  async raw(bytes: string | Buffer | readonly string[], { tls = this.#ca !== null } = {}): Promise<string> {
    const { hostname: host, port } = this.origin;
    const { promise, resolve } = Promise.withResolvers<string>();
    const send = async (): Promise<void> => {
      const [first = '', ...parts] = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes;
      socket.write(first);
      for (const part of parts) {
        await pause(BETWEEN_PARTS_MS);
        socket.write(part);
      }
    };
    const socket: Socket =
      tls && this.#ca !== null
        ? connectTls({ host, port: Number(port), ca: this.#ca }, send)
        : connectPlain({ host, port: Number(port) }, send);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    return await promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The body extends to the end of the text. */
export function parseResponse(text: string): ClientResponse {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return new ClientResponse(Number(statusLine.split(' ')[1]), headers, Buffer.from(body.join('\r\n\r\n')));
}
