import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { ResponseReader } from '../response-reader.ts';
import type { Target, TestRequest } from './workload.ts';

export function openSocket({ port, ca, from }: Target, index: number): Socket {
  const localAddress = from[index % from.length];
  const where = { host: '127.0.0.1', port, ...(localAddress !== undefined && { localAddress }) };
  if (ca === '') return connectPlain(where);
  const options: ConnectionOptions & { localAddress?: string } = { ...where, ca };
  return connectTls(options);
}

export function requestBytes({ method, path, headers = {}, body }: TestRequest, number: number): Buffer {
  const numbered = (text: string): string => text.replaceAll('{n}', String(number));
  const content = typeof body === 'string' ? Buffer.from(numbered(body)) : body;
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(content !== undefined && { 'content-length': String(content.length) }),
  }).map(([name, value]) => `${name}: ${numbered(value)}\r\n`);
  const head = Buffer.from(`${method} ${numbered(path)} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return content === undefined ? head : Buffer.concat([head, content]);
}

/** Keep-alive, with at most one request in progress. It is reopened after it was closed. */
export class Connection {
  readonly #target: Target;
  readonly #index: number;
  readonly #onBytes: (count: number) => void;
  #socket: Socket | undefined;
  #isHead = false;
  #settle: ((status: number | undefined) => void) | undefined;

  constructor(target: Target, index: number, onBytes: (count: number) => void) {
    this.#target = target;
    this.#index = index;
    this.#onBytes = onBytes;
  }

  /** Resolves to the status at the response's end; undefined if the connection closed before. */
  async send(request: TestRequest, number: number): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#isHead = request.method === 'HEAD';
    this.#settle = resolve;
    this.#socket ??= this.#open();
    this.#socket.write(requestBytes(request, number));
    return await promise;
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = openSocket(this.#target, this.#index);
    const finish = (status: number | undefined): void => {
      const settle = this.#settle;
      this.#settle = undefined;
      settle?.(status);
    };
    let closes = false;
    const reader = new ResponseReader(
      () => this.#isHead,
      ({ status, head }) => {
        closes = /\r\nconnection: close/i.test(head);
        if (closes && this.#socket === socket) this.#socket = undefined;
        finish(status);
      },
    );
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#onBytes(chunk.length);
      reader.push(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      // If a response announced the close, a new connection may already be in use.
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      finish(undefined);
    });
    return socket;
  }
}
