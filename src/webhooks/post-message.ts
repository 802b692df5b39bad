import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { messageOf } from '../shared/error-message.ts';
import { withoutBrackets } from './receiver-address.ts';

export const TIMEOUT_MS = 15_000;
/** What is said of an attempt that its signal has ended. */
export const NO_RESPONSE = `no response within ${TIMEOUT_MS / 1000} s`;
const MAX_RESPONSE_BYTES = 2_048;
const USER_AGENT = 'Tradepost-Webhooks/1';

/** A request to a receiver, as plain data. */
export interface Post {
  url: string;
  /** The address to connect to, which was checked for the URL's host. */
  address: string;
  headers: Record<string, string>;
  body: string;
}

/** The receiver's response, with its first 2 kB, or why there was none, for the webhook's owner. */
export type PostResult =
  | { status: number; response: string; retryAfter: string | undefined }
  | { error: string };

/** Posts once, until the signal. Never rejects. */
export type PostMessage = (post: Post, signal: AbortSignal) => Promise<PostResult>;

/** Posts from this thread, over connections of the agent. */
export function postWith(agent: Agent): PostMessage {
  return async (post, signal) => {
    try {
      const response = await send(post, agent, signal);
      const retryAfter = response.headers['retry-after'];
      return { status: response.statusCode ?? 0, response: await readStart(response), retryAfter };
    } catch (error) {
      return { error: signal.aborted ? NO_RESPONSE : describeFailure(error) };
    }
  };
}

function send(
  { url, address, headers, body }: Post,
  agent: Agent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const name = withoutBrackets(hostname);
  return new Promise((resolve, reject) => {
    const sent = request({
      method: 'POST',
      host: address,
      port: port === '' ? 443 : Number(port),
      path: `${pathname}${search}`,
      // The certificate must be for the name, although the connection is to the address.
      ...(isIP(name) === 0 && { servername: name.replace(/\.$/, '') }),
      agent,
      signal,
      headers: {
        Host: host,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': USER_AGENT,
        ...headers,
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    // After 101 (Switching Protocols), Node closes the connection without an error.
    sent.on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })));
    sent.end(body);
  });
}

/** A status without its body is enough. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) break;
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has arrived.
  } finally {
    response.destroy();
  }
  // PostgreSQL cannot store U+0000.
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString().replaceAll('\0', '\ufffd');
}

/** For the owner of the URL: addresses could describe the internal network. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed before the response';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'couldn’t reach the host';
    default:
      if (code.startsWith('HPE_')) return 'the response isn’t HTTP';
      if (/CERT|VERIFY|SIGNED/.test(code)) return `the certificate isn’t valid (${code})`;
      return `the connection failed: ${code || messageOf(error)}`;
  }
}
