import type { Worker } from 'node:worker_threads';
import { messageOf } from './error-message.ts';

export type CallId = { id: number };
/** Has no id if it only says that the thread is not hung. */
export type ThreadReply<EncodedError> = Partial<CallId> & ({ result: unknown } | { error: EncodedError });

interface Options<EncodedError> {
  start(): Worker;
  /** Makes the error of calls that the thread cannot reply to. */
  unavailable(reason: string): Error;
  /** Makes an error from one that the thread replied. */
  decodeError(error: EncodedError): Error;
  /** Gets messages that are not replies. */
  onMessage?(message: unknown): void;
  /**
   * Set if the thread replies to the command `ping`: it is ended if it sends nothing for this time, in
   * milliseconds, while calls wait.
   */
  silenceMs?: number;
}

const PINGS_PER_SILENCE = 10;

/**
 * Calls to a worker thread, which starts with the first one, and again after it has ended. While a hung
 * thread has not ended, which takes as long as its system call, calls fail at once.
 */
export class ThreadCalls<Command extends object, EncodedError = never> {
  readonly #options: Options<EncodedError>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #pings: NodeJS.Timeout | undefined;
  #unanswered = 0;
  #isEnding = false;
  #isClosed = false;
  #calls = 0;

  constructor(options: Options<EncodedError>) {
    this.#options = options;
  }

  /** @throws `unavailable` if the thread ends before it replies */
  async call(command: Command): Promise<unknown> {
    const { unavailable } = this.#options;
    if (this.#isEnding) throw unavailable('a thread that does not respond is being ended');
    if (this.#isClosed) throw unavailable('the thread has been ended');
    this.#calls += 1;
    const id = this.#calls;
    this.#worker ??= this.#start();
    // Throws if something cannot be sent.
    this.#worker.postMessage({ ...command, id });
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(id, reply);
    if (this.#waiting.size === 1) this.#watch(this.#worker);
    return await reply.promise;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the thread. Calls fail from now on. */
  async terminate(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = this.#options.start();
    worker.on('message', (message: object) => {
      this.#unanswered = 0;
      if ('result' in message || 'error' in message) this.#settle(message as ThreadReply<EncodedError>);
      else this.#options.onMessage?.(message);
    });
    worker.on('error', (error) => this.#giveUp(worker, messageOf(error)));
    worker.on('exit', () => this.#giveUp(worker, 'the thread has ended'));
    return worker;
  }

  /** While calls wait, the thread keeps the process running, and must not be silent. */
  #watch(worker: Worker): void {
    worker.ref();
    const { silenceMs } = this.#options;
    if (silenceMs === undefined) return;
    this.#unanswered = 0;
    // Counts pings instead of time, because this thread may have been suspended too.
    this.#pings = setInterval(() => {
      if (this.#unanswered === PINGS_PER_SILENCE) this.#end(worker);
      this.#unanswered += 1;
      worker.postMessage({ command: 'ping' });
    }, silenceMs / PINGS_PER_SILENCE).unref();
  }

  #rest(): void {
    // The end of the thread is waited for.
    if (!this.#isClosed) this.#worker?.unref();
    clearInterval(this.#pings);
  }

  #end(worker: Worker): void {
    this.#isEnding = true;
    this.#giveUp(worker, 'the thread does not respond');
    void worker.terminate().finally(() => {
      this.#isEnding = false;
    });
  }

  #settle(reply: ThreadReply<EncodedError>): void {
    if (reply.id === undefined) return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#rest();
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject(this.#options.decodeError(reply.error));
  }

  #giveUp(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#rest();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(this.#options.unavailable(reason));
    this.#waiting.clear();
  }
}
