import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { AnswerReader } from '../answer-reader.ts';
import type { Ask, Target } from './work.ts';

/** A connection to the target, from one of its addresses. */
export function openSocket({ port, ca, from }: Target, index: number): Socket {
  const localAddress = from[index % from.length];
  const where = { host: '127.0.0.1', port, ...(localAddress !== undefined && { localAddress }) };
  if (ca === '') return connectPlain(where);
  const options: ConnectionOptions & { localAddress?: string } = { ...where, ca };
  return connectTls(options);
}

/** The bytes of a request. */
export function requestBytes({ method, path, headers = {}, body }: Ask, number: number): Buffer {
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

/** A kept connection that has one request under way at most, and is opened again after it was closed. */
export class Line {
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

  /** Resolves to the answer's status after its last byte; undefined where the connection closed before. */
  async send(ask: Ask, number: number): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#isHead = ask.method === 'HEAD';
    this.#settle = resolve;
    this.#socket ??= this.#open();
    this.#socket.write(requestBytes(ask, number));
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
    const reader = new AnswerReader(
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
      // After an answer that announced it, another connection may be in use already.
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      finish(undefined);
    });
    return socket;
  }
}
