import { connect, type TLSSocket } from 'node:tls';
import { ResponseReader, type ResponseSummary } from '../response-reader.ts';
import type { FuzzRequest } from './requests.ts';

export interface Exchange {
  /** Undefined if there are no more. */
  next(): NumberedRequest | undefined;
  responded(request: NumberedRequest, response: ResponseSummary): void;
  /** The connection closed before earlier responses were complete. The request must be sent again. */
  skipped(request: NumberedRequest): void;
  /** Received bytes that begin no response. All requests waiting on the connection are skipped. */
  outOfSync(): void;
  failed(request: NumberedRequest, reason: string): void;
}

export interface NumberedRequest extends FuzzRequest {
  number: number;
}

export interface Target {
  port: number;
  ca: string;
}

const RESPONSE_TIMEOUT_MS = 60_000;
/** A raw connection ends after this, although the service waits longer for the rest of a request. */
export const IDLE_MS = 2_000;

/** Resumed, because most connections last for only a few requests. */
let session: Buffer | undefined;

/** Pipelines up to `depth` requests at a time. Resolves once the connection has closed. */
export async function converse(target: Target, exchange: Exchange, depth: number): Promise<void> {
  const waiting: NumberedRequest[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connectTo(target);
  let reason = 'the connection was closed';
  let responses = 0;
  let isClosing = false;
  const send = (): void => {
    const parts: Buffer[] = [];
    while (!isClosing && waiting.length < depth) {
      const request = exchange.next();
      if (request === undefined) break;
      waiting.push(request);
      parts.push(request.bytes);
    }
    if (parts.length > 0) socket.write(Buffer.concat(parts));
    else if (waiting.length === 0) socket.end();
  };
  const reader = new ResponseReader(
    () => waiting[0]?.isHead === true,
    (response) => {
      if (!response.head.startsWith('HTTP/1.1 ') && depth > 1) {
        if (!socket.destroyed) exchange.outOfSync();
        socket.destroy();
        return;
      }
      const request = waiting.shift();
      responses += 1;
      if (/\r\nconnection: close/i.test(response.head)) isClosing = true;
      if (request !== undefined) exchange.responded(request, response);
    },
  );
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
    reason = `no response within ${RESPONSE_TIMEOUT_MS / 1000} s`;
    socket.destroy();
  });
  socket.on('secureConnect', send);
  socket.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    send();
  });
  socket.on('error', (error) => {
    reason = error.message;
  });
  socket.on('close', () => {
    const [first, ...others] = waiting;
    if (first !== undefined) {
      // A request that shared a write may have been lost because of another one.
      if (responses === 0 && depth === 1) exchange.failed(first, reason);
      else exchange.skipped(first);
    }
    for (const request of others) exchange.skipped(request);
    resolve();
  });
  await promise;
}

/** Resolves to everything received (Latin-1) until the connection closed or was idle. */
export async function sendRaw(target: Target, bytes: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connectTo(target);
  const chunks: Buffer[] = [];
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('secureConnect', () => socket.end(bytes));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  let failure: Error | undefined;
  socket.on('error', (error) => {
    if (!('code' in error) || !['ECONNRESET', 'EPIPE'].includes(String(error.code))) failure = error;
  });
  socket.on('close', () => {
    if (failure === undefined) resolve(Buffer.concat(chunks).toString('latin1'));
    else reject(failure);
  });
  return await promise;
}

function connectTo({ port, ca }: Target): TLSSocket {
  const socket = connect({ host: '127.0.0.1', port, ca, ...(session !== undefined && { session }) });
  socket.on('session', (latest) => {
    session = latest;
  });
  return socket;
}
