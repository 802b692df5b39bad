import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { OPERATOR_ID } from '../database/sides.ts';
import { messageOf } from '../shared/error-message.ts';
import {
  type FindAddress,
  type ReceiverOwner,
  ReceiverRefused,
  withoutBrackets,
} from './receiver-address.ts';
import { ReceiverAgent } from './receiver-agent.ts';
import { parseRetryAfter } from './retry-times.ts';
import { type SignedMessage, signatureHeaders } from './signature.ts';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 2_048;
/** The pause between two attempts: a handshake takes about 2 ms of the event loop. */
const START_PAUSE_MS = 3;
/** The pause for each merchant: its events cannot flood a receiver, or delay other merchants' events. */
const MERCHANT_START_PAUSE_MS = 40;
/** With more merchants, idle ones are forgotten. */
const MAX_MERCHANTS = 1_000;
const USER_AGENT = 'Tradepost-Webhooks/1';

export interface Receiver {
  url: string;
  owner: ReceiverOwner;
  /** The merchant, or the operator. */
  merchantId: number;
  secrets: readonly string[];
}

/** It has succeeded exactly if the status is 2xx. */
export interface AttemptResult {
  /** Milliseconds since 1970. */
  at: number;
  durationMs: number;
  status: number | null;
  /** For the webhook's owner; null if there was a response. */
  error: string | null;
  /** The first 2 kB; null if there was no response. */
  response: string | null;
  /** In milliseconds, from the receiver's `Retry-After`. */
  retryAfter: number | undefined;
}

export interface Sender {
  findAddress: FindAddress;
  /** Ends all attempts in progress. */
  stopping: AbortSignal;
  now: () => number;
  agent: Agent;
  /** Resolves when the next attempt for a merchant may start. */
  turn(merchantId: number): Promise<void>;
}

/** Trusts Node's certificate authorities. */
export function createSender(parts: Omit<Sender, 'agent' | 'turn'>): Sender {
  const agent = new ReceiverAgent();
  const ofMerchants = new Map<number, StartTimes>();
  const ofAll = new StartTimes(START_PAUSE_MS);
  const { stopping: signal } = parts;
  const turn = async (merchantId: number): Promise<void> => {
    if (merchantId !== OPERATOR_ID) {
      if (ofMerchants.size >= MAX_MERCHANTS)
        for (const [id, { isIdle }] of ofMerchants) if (isIdle) ofMerchants.delete(id);
      const ofMerchant = ofMerchants.get(merchantId) ?? new StartTimes(MERCHANT_START_PAUSE_MS);
      ofMerchants.set(merchantId, ofMerchant);
      await ofMerchant.next(signal);
    }
    await ofAll.next(signal);
  };
  return { ...parts, agent, turn };
}

class StartTimes {
  readonly #pauseMs: number;
  #next = 0;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  get isIdle(): boolean {
    return this.#next <= performance.now();
  }

  /** Resolves when the next start may happen, or when `signal` aborts. */
  async next(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.#next);
    this.#next = start + this.#pauseMs;
    await pause(start - now, undefined, { signal }).catch(() => {});
  }
}

export function hasSucceeded({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Sends a message once, over a new connection to an address that was checked for it, without redirects. Reads
 * 2 kB of the response, and gives up after 15 seconds. Never rejects: an error is part of the result.
 */
export async function sendMessage(
  sender: Sender,
  receiver: Receiver,
  message: Pick<SignedMessage, 'id' | 'body'>,
): Promise<AttemptResult> {
  const { now, findAddress, stopping, agent, turn } = sender;
  await turn(receiver.merchantId);
  const at = now();
  const startedAt = performance.now();
  const result = (part: Partial<AttemptResult>): AttemptResult => ({
    at,
    durationMs: Math.round(performance.now() - startedAt),
    status: null,
    error: null,
    response: null,
    retryAfter: undefined,
    ...part,
  });
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const { hostname } = new URL(receiver.url);
    const address = await untilAborted(
      findAddress(withoutBrackets(hostname), receiver.owner, signal),
      signal,
    );
    const headers = signatureHeaders({ ...message, timestamp: Math.floor(at / 1000) }, receiver.secrets);
    const response = await post({
      url: receiver.url,
      address,
      headers,
      body: message.body,
      signal,
      agent,
    });
    const text = await readStart(response);
    return result({
      status: response.statusCode ?? 0,
      response: text,
      retryAfter: parseRetryAfter(response.headers['retry-after'], now()),
    });
  } catch (error) {
    return result({ error: signal.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : describe(error) });
  }
}

interface Post {
  url: string;
  address: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  agent: Agent;
}

function post({ url, address, headers, body, signal, agent }: Post): Promise<IncomingMessage> {
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

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
  ]);
}

/** For the webhook's owner: addresses could describe the internal network. */
function describe(error: unknown): string {
  if (error instanceof ReceiverRefused) return error.message;
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
