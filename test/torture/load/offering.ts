import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';

/** What a load generator asks whom. */
export interface Task {
  port: number;
  ca: string;
  /** Asked for in turn. */
  paths: string[];
  connections: number;
}

export interface Offering {
  /** Requests a second, whatever becomes of them; null: the next one as soon as an answer comes. */
  rate: number | null;
  /** Used where there is no rate. */
  connections: number;
  seconds: number;
}

/** Answers with one status. Times from sending to the last byte, in ms. */
export interface Bunch {
  count: number;
  p50: number;
  p99: number;
  longest: number;
}

/** What became of it. */
export interface Offered {
  seconds: number;
  /** Requests that were sent and answered. */
  sent: number;
  /** Requests that were due and not sent, as no connection was free for a second. */
  missed: number;
  /** Connections that closed. */
  broken: number;
  byStatus: Record<string, Bunch>;
  /** By how much later than due requests were sent, the 99th percentile in ms. */
  late: number;
  acceptedPerSecond: number[];
  /** Of one core, what the generator took. */
  cpu: number;
}

/** A load generator in a process of its own, which ends with its owner. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  #answered: (answer: unknown) => void = () => {};
  #failed: (error: Error) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer) => this.#answered(answer));
    child.on('exit', () => this.#failed(new Error('the load generator has ended')));
  }

  /** Resolves once its connections are open. */
  static async start(t: Owner, task: Task): Promise<LoadGenerator> {
    const child = fork(join(import.meta.dirname, 'generator.ts'), { env: { PATH: process.env.PATH } });
    t.after(() => child.kill('SIGKILL'));
    const generator = new LoadGenerator(child);
    await generator.#tell({ task });
    return generator;
  }

  get pid(): number {
    assert(this.#child.pid !== undefined);
    return this.#child.pid;
  }

  async offer(offering: Partial<Offering> & { seconds: number }): Promise<Offered> {
    const answer = await this.#tell({ offering: { rate: null, connections: 32, ...offering } });
    return answer as Offered;
  }

  async #tell(message: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    [this.#answered, this.#failed] = [resolve, reject];
    this.#child.send(message);
    return await promise;
  }
}

/** How many of the answers had this status. */
export function countOf({ byStatus }: Offered, status: number): number {
  return byStatus[status]?.count ?? 0;
}
