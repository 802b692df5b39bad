import type { Worker } from 'node:cluster';
import type { Health } from '../observability/health.ts';
import type { Figures } from '../observability/metrics.ts';

/** What the primary process can request from a worker. */
export interface Responses {
  unreadyReason: string | null;
  figures: Figures;
}

interface WorkerRequest {
  id: number;
  wanted: keyof Responses;
}

/** `value` is missing if the worker failed to determine it. */
export interface WorkerResponse {
  responseTo: number;
  value?: Responses[keyof Responses];
}

const TIMEOUT_MS = 3_000;

export class WorkerRequests {
  readonly #send: (request: WorkerRequest) => void;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(send: (request: WorkerRequest) => void) {
    this.#send = send;
  }

  /** Requests a value from the worker. @throws {Error} if it does not respond in time, fails or ends */
  async request<Wanted extends keyof Responses>(wanted: Wanted): Promise<Responses[Wanted]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const response = Promise.withResolvers<unknown>();
    this.#pending.set(id, response);
    const timer = setTimeout(() => response.reject(new Error('the worker does not respond')), TIMEOUT_MS);
    try {
      this.#send({ id, wanted });
      return (await response.promise) as Responses[Wanted];
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  settle(response: WorkerResponse): void {
    const pending = this.#pending.get(response.responseTo);
    if ('value' in response) pending?.resolve(response.value);
    else pending?.reject(new Error('the worker could not respond'));
  }

  /** To be called when the worker has ended. */
  rejectAll(): void {
    for (const { reject } of this.#pending.values()) reject(new Error('the worker has ended'));
  }
}

export function respondToPrimary(worker: Worker, health: Health): void {
  worker.on('message', async ({ id, wanted }: WorkerRequest) => {
    const response: WorkerResponse = { responseTo: id };
    try {
      response.value =
        wanted === 'unreadyReason' ? await health.unreadyReason() : ((await health.metrics())[0] ?? []);
    } catch {
      // The missing value tells the primary process that this failed.
    }
    if (worker.isConnected()) worker.send(response);
  });
}
