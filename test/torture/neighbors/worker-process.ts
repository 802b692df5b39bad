import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';
import type { Target, WorkerMessage, Workload, WorkloadResult } from './workload.ts';

/** Runs one workload after the other. It ends with its owner. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #resolve: (message: unknown) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => this.#resolve(message));
    child.on('exit', () => this.#reject(new Error('a worker process has ended')));
  }

  static async start(t: Owner): Promise<WorkerProcess> {
    const child = fork(join(import.meta.dirname, 'worker.ts'), {
      env: { PATH: process.env.PATH },
      serialization: 'advanced',
    });
    t.after(() => child.kill('SIGKILL'));
    const worker = new WorkerProcess(child);
    await worker.#next();
    return worker;
  }

  assign(target: Target, work: Workload): void {
    this.#child.send({ target, work } satisfies WorkerMessage);
  }

  /** @throws if the process ended meanwhile */
  async run(seconds: number): Promise<WorkloadResult> {
    this.#child.send({ seconds } satisfies WorkerMessage);
    return (await this.#next()) as WorkloadResult;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#child.killed;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  async #next(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    [this.#resolve, this.#reject] = [resolve, reject];
    return await promise;
  }
}
