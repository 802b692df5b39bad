import { setTimeout as pause } from 'node:timers/promises';
import { OPERATOR_ID } from '../database/sides.ts';
import { messageOf } from '../shared/error-message.ts';
import { parseRetryAfter } from '../shared/retry-after.ts';
import { NO_RESPONSE, type PostMessage, TIMEOUT_MS } from './post-message.ts';
import {
  type FindAddress,
  type ReceiverOwner,
  ReceiverRefused,
  withoutBrackets,
} from './receiver-address.ts';
import { type SignedMessage, signatureHeaders } from './signature.ts';

/** The pause between two attempts: a handshake takes about 2 ms of a core. */
const START_PAUSE_MS = 3;
/** The pause for each merchant: its events cannot flood a receiver, or delay other merchants' events. */
const MERCHANT_START_PAUSE_MS = 40;
/** With more merchants, idle ones are forgotten. */
const MAX_MERCHANTS = 1_000;

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
  post: PostMessage;
  /** Resolves when the next attempt for a merchant may start. */
  waitToStart(merchantId: number): Promise<void>;
}

export function createSender(parts: Omit<Sender, 'waitToStart'>): Sender {
  const ofMerchants = new Map<number, StartTimes>();
  const ofAll = new StartTimes(START_PAUSE_MS);
  const { stopping: signal } = parts;
  const waitToStart = async (merchantId: number): Promise<void> => {
    if (merchantId !== OPERATOR_ID) {
      if (ofMerchants.size >= MAX_MERCHANTS)
        for (const [id, { isIdle }] of ofMerchants) if (isIdle) ofMerchants.delete(id);
      const ofMerchant = ofMerchants.get(merchantId) ?? new StartTimes(MERCHANT_START_PAUSE_MS);
      ofMerchants.set(merchantId, ofMerchant);
      await ofMerchant.next(signal);
    }
    await ofAll.next(signal);
  };
  return { ...parts, waitToStart };
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
  const { now, findAddress, stopping, post, waitToStart } = sender;
  await waitToStart(receiver.merchantId);
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
    const posted = await post({ url: receiver.url, address, headers, body: message.body }, signal);
    if ('error' in posted) return result(posted);
    const { status, response } = posted;
    return result({ status, response, retryAfter: parseRetryAfter(posted.retryAfter, now()) });
  } catch (error) {
    if (signal.aborted) return result({ error: NO_RESPONSE });
    const refusal = error instanceof ReceiverRefused ? '' : 'the connection failed: ';
    return result({ error: `${refusal}${messageOf(error)}` });
  }
}

/** Rejects once the signal aborts, whatever becomes of the promise. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
  ]);
}
