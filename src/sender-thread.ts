import { getCACertificates } from 'node:tls';
import type { MailSettings } from './mail/mail-settings.ts';
import type { OutgoingMail, SendResult } from './mail/smtp-client.ts';
import type { FetchedStart, ImageRequest } from './products/images/fetch-start.ts';
import { startThread } from './shared/start-module.ts';
import { ThreadCalls } from './shared/thread-calls.ts';
import type { Post, PostResult } from './webhooks/post-message.ts';

/** A thread that is silent for this time is ended, and another one is started for the next message. */
const SILENCE_MS = 10_000;
const INTERRUPTED = 'the service was interrupted while it sent the message';

/** Attempts have numbers of their own, by which they are aborted. */
export type SenderCommand =
  | { command: 'post'; attempt: number; post: Post }
  | { command: 'image'; attempt: number; image: ImageRequest }
  | { command: 'mail'; attempt: number; mail: OutgoingMail }
  | { command: 'abort'; attempt: number }
  | { command: 'ping' };

export interface SenderData {
  /** The certificate authorities that this process trusts. */
  authorities: string[];
  mail: MailSettings | null;
}

/** Sends webhooks and mails, and fetches images, in a worker thread, which starts with the first one. */
export class SenderThread {
  readonly #calls: ThreadCalls<SenderCommand>;
  #attempts = 0;

  constructor(mail: MailSettings | null) {
    this.#calls = new ThreadCalls({
      start: () => {
        const workerData: SenderData = { authorities: getCACertificates('default'), mail };
        return startThread('sender-worker', import.meta.url, { workerData });
      },
      unavailable: (reason) => new Error(reason),
      decodeError: (error) => error,
      silenceMs: SILENCE_MS,
    });
  }

  /** As `PostMessage`. */
  async post(post: Post, signal: AbortSignal): Promise<PostResult> {
    try {
      return (await this.#send((attempt) => ({ command: 'post', attempt, post }), signal)) as PostResult;
    } catch {
      return { error: INTERRUPTED };
    }
  }

  /** As `FetchStart`. */
  async fetchStart(image: ImageRequest, signal: AbortSignal): Promise<FetchedStart> {
    return (await this.#send((attempt) => ({ command: 'image', attempt, image }), signal)) as FetchedStart;
  }

  /** As `SmtpClient.send`. */
  async sendMail(mail: OutgoingMail, signal: AbortSignal): Promise<SendResult> {
    try {
      return (await this.#send((attempt) => ({ command: 'mail', attempt, mail }), signal)) as SendResult;
    } catch {
      return { outcome: 'failed', reason: INTERRUPTED, ofServer: true };
    }
  }

  /** Ends the thread, with all attempts in progress. */
  async close(): Promise<void> {
    await this.#calls.terminate();
  }

  /** @throws if the thread ends before it replies */
  async #send(commandOf: (attempt: number) => SenderCommand, signal: AbortSignal): Promise<unknown> {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const abort = (): void => {
      // It fails if the thread has ended, and with it the attempt.
      this.#calls.call({ command: 'abort', attempt }).catch(() => {});
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const sent = this.#calls.call(commandOf(attempt));
      if (signal.aborted) abort();
      return await sent;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
