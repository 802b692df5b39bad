import type { Worker } from 'node:cluster';
import type { Health } from '../observability/health.ts';
import type { Figures } from '../observability/metrics.ts';

/** What the primary process may ask a worker, and what it is told. */
export interface Told {
  trouble: string | null;
  figures: Figures;
}

interface Question {
  id: number;
  about: keyof Told;
}

/** A worker's answer to a question; without `told`, it could not tell. */
export interface Reply {
  reply: number;
  told?: Told[keyof Told];
}

/** A worker that says nothing for so long has more to do than to be looked at. */
const PATIENCE_MS = 3_000;

/** Questions to one worker that are not answered yet. */
export class Questions {
  readonly #send: (question: Question) => void;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(send: (question: Question) => void) {
    this.#send = send;
  }

  /** @throws where it does not tell in time, or ends before */
  async ask<About extends keyof Told>(about: About): Promise<Told[About]> {
    this.#asked += 1;
    const id = this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#open.set(id, answer);
    const timer = setTimeout(() => answer.reject(new Error('the worker does not answer')), PATIENCE_MS);
    try {
      this.#send({ id, about });
      return (await answer.promise) as Told[About];
    } finally {
      clearTimeout(timer);
      this.#open.delete(id);
    }
  }

  settle(reply: Reply): void {
    const open = this.#open.get(reply.reply);
    if ('told' in reply) open?.resolve(reply.told);
    else open?.reject(new Error('the worker could not tell'));
  }

  /** To be called when the worker has ended. */
  giveUp(): void {
    for (const { reject } of this.#open.values()) reject(new Error('the worker has ended'));
  }
}

/** Has this worker process answer what the primary one asks. */
export function answerQuestions(worker: Worker, health: Health): void {
  worker.on('message', async ({ id, about }: Question) => {
    const reply: Reply = { reply: id };
    try {
      reply.told = about === 'trouble' ? await health.unreadyReason() : ((await health.metrics())[0] ?? []);
    } catch {
      // Its log has the reason; the primary process is told that there is one.
    }
    if (worker.isConnected()) worker.send(reply);
  });
}
