import type { Worker, WorkerOptions } from 'node:worker_threads';
import { messageOf } from '../../shared/error-message.ts';
import { startThread } from '../../shared/start-module.ts';
import { DatabaseUnavailable } from '../database.ts';
import { decodeError, type EncodedError } from './encode-error.ts';

export type CallId = { id: number };
export type ThreadReply = CallId & ({ result: unknown } | { error: EncodedError });

/** Calls to a worker thread, which starts with the first one, and again after it has ended. */
export class ThreadCalls<Command extends object> {
  readonly #name: string;
  readonly #options: WorkerOptions;
  readonly #onMessage: (message: unknown) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #calls = 0;

  /** `name` is the file of the thread, which is in this folder. `onMessage` gets what is not a reply. */
  constructor(name: string, options: WorkerOptions, onMessage: (message: unknown) => void = () => {}) {
    this.#name = name;
    this.#options = options;
    this.#onMessage = onMessage;
  }

  /** @throws {DatabaseUnavailable} if the thread ends before it replies */
  async call(command: Command): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(id, reply);
    this.#worker ??= this.#start();
    // A call that waits keeps the process running.
    if (this.#waiting.size === 1) this.#worker.ref();
    this.#worker.postMessage({ ...command, id });
    return await reply.promise;
  }

  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread(this.#name, import.meta.url, this.#options);
    worker.on('message', (message: object) => {
      if ('id' in message) this.#settle(message as ThreadReply);
      else this.#onMessage(message);
    });
    worker.on('error', (error) => this.#giveUp(worker, messageOf(error)));
    worker.on('exit', () => this.#giveUp(worker, `the ${this.#name} has ended`));
    return worker;
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject(decodeError(reply.error));
  }

  #giveUp(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new DatabaseUnavailable(reason));
    this.#waiting.clear();
  }
}
