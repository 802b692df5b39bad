import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Owner } from '../../support/process.ts';
import type { Order, Outcome, Target, Work } from './work.ts';

/** A process that does one work after the other; it ends with its owner. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #answered: (message: unknown) => void = () => {};
  #failed: (error: Error) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => this.#answered(message));
    child.on('exit', () => this.#failed(new Error('a worker process has ended')));
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

  /** Gives it other work. */
  assign(target: Target, work: Work): void {
    this.#child.send({ target, work } satisfies Order);
  }

  /** Works for so long; resolves to what came of it. @throws where the process ended meanwhile */
  async run(seconds: number): Promise<Outcome> {
    this.#child.send({ seconds } satisfies Order);
    return (await this.#next()) as Outcome;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#child.killed;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  async #next(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    [this.#answered, this.#failed] = [resolve, reject];
    return await promise;
  }
}
