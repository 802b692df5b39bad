import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';

export interface LoadTarget {
  port: number;
  ca: string;
  paths: string[];
  connections: number;
}

export interface LoadOptions {
  /** Per second, regardless of responses; null to send the next request after each response. */
  rate: number | null;
  connections: number;
  seconds: number;
}

/** Times from sending to the last byte, in ms. */
export interface ResponseTimes {
  count: number;
  p50: number;
  p99: number;
  longest: number;
}

export interface LoadResult {
  seconds: number;
  sent: number;
  /** Not sent, because no connection was free for a second. */
  missed: number;
  /** Connections that closed with a request in progress. */
  lost: number;
  byStatus: Record<string, ResponseTimes>;
  /** The 99th percentile of the delay between due time and sending, in ms. */
  late: number;
  acceptedPerSecond: number[];
  /** The generator's, as a share of one core. */
  cpu: number;
}

/** Runs in a separate process, which ends with its owner. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  #resolve: (reply: unknown) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply) => this.#resolve(reply));
    child.on('exit', () => this.#reject(new Error('the load generator has ended')));
  }

  /** Resolves once its connections are open. */
  static async start(t: Owner, target: LoadTarget): Promise<LoadGenerator> {
    const child = fork(join(import.meta.dirname, 'generator.ts'), { env: { PATH: process.env.PATH } });
    t.after(() => child.kill('SIGKILL'));
    const generator = new LoadGenerator(child);
    await generator.#call({ target });
    return generator;
  }

  get pid(): number {
    assert(this.#child.pid !== undefined);
    return this.#child.pid;
  }

  async run(options: Partial<LoadOptions> & { seconds: number }): Promise<LoadResult> {
    const result = await this.#call({ options: { rate: null, connections: 32, ...options } });
    return result as LoadResult;
  }

  async #call(message: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    [this.#resolve, this.#reject] = [resolve, reject];
    this.#child.send(message);
    return await promise;
  }
}

export function countOf({ byStatus }: LoadResult, status: number): number {
  return byStatus[status]?.count ?? 0;
}
