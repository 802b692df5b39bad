import { connect, type TLSSocket } from 'node:tls';
import { AnswerReader, type ReadAnswer } from '../answer-reader.ts';
import type { Made } from './requests.ts';

/** Where requests come from and what becomes of them. */
export interface Exchange {
  /** The next one to send, and its number; undefined when there are no more. */
  next(): Numbered | undefined;
  answered(request: Numbered, answer: ReadAnswer): void;
  /** Sent behind others on a connection that closed before its turn: to be sent again. */
  passedOver(request: Numbered): void;
  /** Something came on a connection where an answer was to begin; all that wait there are passed over. */
  outOfStep(): void;
  /** Sent on a connection that gave it no answer. */
  unanswered(request: Numbered, reason: string): void;
}

export interface Numbered extends Made {
  number: number;
}

export interface Target {
  port: number;
  ca: string;
}

const PATIENCE_MS = 60_000;
/** Half of a request is waited for by the service for longer: that is no matter here. */
export const STANDSTILL_MS = 2_000;

/** TLS sessions are taken up again: most connections last for few requests. */
let session: Buffer | undefined;

/** Opens a connection on which many requests are sent at once, `depth` at most; resolves once it has closed. */
export async function converse(target: Target, exchange: Exchange, depth: number): Promise<void> {
  const waiting: Numbered[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connectTo(target);
  let reason = 'the connection was closed';
  let answers = 0;
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
  const reader = new AnswerReader(
    () => waiting[0]?.isHead === true,
    (answer) => {
      if (!answer.head.startsWith('HTTP/1.1 ') && depth > 1) {
        if (!socket.destroyed) exchange.outOfStep();
        socket.destroy();
        return;
      }
      const request = waiting.shift();
      answers += 1;
      if (/\r\nconnection: close/i.test(answer.head)) isClosing = true;
      if (request !== undefined) exchange.answered(request, answer);
    },
  );
  socket.setTimeout(PATIENCE_MS, () => {
    reason = `no answer within ${PATIENCE_MS / 1000} s`;
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
      // Whatever was in one write with others may have been lost with one of them.
      if (answers === 0 && depth === 1) exchange.unanswered(first, reason);
      else exchange.passedOver(first);
    }
    for (const request of others) exchange.passedOver(request);
    resolve();
  });
  await promise;
}

/** Sends bytes that need not be a request; resolves to what came, latin1, until the connection closed or stood still. */
export async function sendRaw(target: Target, bytes: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connectTo(target);
  const chunks: Buffer[] = [];
  socket.setTimeout(STANDSTILL_MS, () => socket.destroy());
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
  socket.on('session', (taken) => {
    session = taken;
  });
  return socket;
}
