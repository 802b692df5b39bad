import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';

/** The server, paths and connections of a load generator. */
export interface LoadTarget {
  port: number;
  ca: string;
  /** Requested in turn. */
  paths: string[];
  connections: number;
}

export interface LoadOptions {
  /** Requests per second, regardless of responses; null to send the next request after each response. */
  rate: number | null;
  /** Connections to use without a rate. */
  connections: number;
  seconds: number;
}

/** The responses with one status. Times are from sending to the last byte, in ms. */
export interface ResponseTimes {
  count: number;
  p50: number;
  p99: number;
  longest: number;
}

export interface LoadResult {
  seconds: number;
  /** Requests that got a response. */
  sent: number;
  /** Requests that were not sent, because no connection was free for a second. */
  missed: number;
  /** Connections that closed with a request in progress. */
  lost: number;
  byStatus: Record<string, ResponseTimes>;
  /** The 99th percentile of the delay between due time and sending, in ms. */
  late: number;
  acceptedPerSecond: number[];
  /** The CPU use of the generator, as a share of one core. */
  cpu: number;
}

/** A load generator in a separate process, which ends with its owner. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  #resolve: (reply: unknown) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply) => this.#resolve(reply));
    child.on('exit', () => this.#reject(new Error('the load generator has ended')));
  }

  /** Starts a generator; resolves once its connections are open. */
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

/** Returns the number of responses with this status. */
export function countOf({ byStatus }: LoadResult, status: number): number {
  return byStatus[status]?.count ?? 0;
}
