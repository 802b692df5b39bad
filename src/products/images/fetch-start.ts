import { type ClientRequest, type Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { type Agent as HttpsAgent, request as requestSecurely } from 'node:https';
import { isIP } from 'node:net';
import { describeFailure } from '../../webhooks/post-message.ts';
import { withoutBrackets } from '../../webhooks/receiver-address.ts';
import type { Content } from './recognize-image.ts';

export const FETCH_MS = 10_000;
const SECONDS = FETCH_MS / 1000;
/** Enough to recognize a format. An SVG may begin with comments. */
const MAX_START_BYTES = 8 * 1024;
const USER_AGENT = 'Tradepost-Images/1';
const CLOSED = 'the connection was closed before the end of the response';
const ACCEPT = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';

/** A request for an image, as plain data. */
export interface ImageRequest {
  url: string;
  /** The address to connect to, which was checked for the URL's host. */
  address: string;
}

/** How a response begins, or why there was none, for the merchant. */
export type FetchedStart = ResponseStart | { error: string };

export interface ResponseStart extends Content {
  status: number;
  /** Why there is no more of the content; null if there is all of it, or enough. */
  cutBy: string | null;
}

/**
 * Fetches the first bytes, until the signal. Redirects are not followed.
 * @throws if nothing can be said about the address
 */
export type FetchStart = (image: ImageRequest, signal: AbortSignal) => Promise<FetchedStart>;

/** Fetches from this thread, over connections of the agents. Never rejects. */
export function fetchWith(agents: { secure: HttpsAgent; plain: HttpAgent }): FetchStart {
  return (image, signal) =>
    new Promise((resolve) => {
      let readWhatArrived: (() => void) | undefined;
      const end = (error: unknown): void => {
        readWhatArrived?.();
        resolve({
          error: signal.aborted ? `no response within ${SECONDS} s` : describeFailure(error),
        });
      };
      try {
        const sent = open(image, agents, signal);
        sent.on('response', (response) => {
          readWhatArrived = readStart(response, signal, resolve);
        });
        sent.on('error', end);
        // After 101 (Switching Protocols), Node closes the connection without an error.
        sent.on('close', () => end(Object.assign(new Error('no response'), { code: 'ECONNRESET' })));
        sent.end();
      } catch (error) {
        end(error);
      }
    });
}

function open(
  { url, address }: ImageRequest,
  { secure, plain }: { secure: HttpsAgent; plain: HttpAgent },
  signal: AbortSignal,
): ClientRequest {
  const { protocol, hostname, port, host, pathname, search } = new URL(url);
  const name = withoutBrackets(hostname);
  const options = {
    host: address,
    path: `${pathname}${search}`,
    signal,
    headers: { Host: host, Accept: ACCEPT, 'Accept-Encoding': 'identity', 'User-Agent': USER_AGENT },
  };
  if (protocol === 'http:') return request({ ...options, port: Number(port || 80), agent: plain });
  return requestSecurely({
    ...options,
    port: Number(port || 443),
    agent: secure,
    // The certificate must be for the name, although the connection is to the address.
    ...(isIP(name) === 0 && { servername: name.replace(/\.$/, '') }),
  });
}

/** Returns what ends the reading early, with what has arrived by then. */
function readStart(
  response: IncomingMessage,
  signal: AbortSignal,
  resolve: (fetched: ResponseStart) => void,
): () => void {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    const start = Uint8Array.from(Buffer.concat(chunks).subarray(0, MAX_START_BYTES));
    const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
    const isCut = size < MAX_START_BYTES && !response.complete;
    const cutBy = signal.aborted ? `the response took longer than ${SECONDS} s` : CLOSED;
    const contentType = headers['content-type'] ?? '';
    resolve({ status, contentType, isEncoded, start, cutBy: isCut ? cutBy : null });
    response.destroy();
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_START_BYTES) finish();
  });
  for (const event of ['end', 'error', 'close']) response.on(event, finish);
  return finish;
}
