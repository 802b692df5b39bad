import cluster, { type Worker } from 'node:cluster';
import { Questions, type Reply, type Told } from './questions.ts';

/** What a worker process tells the primary one, once: the base URL that it serves at, or why it cannot. */
export type Report = { serving: string } | { failed: string };

/** How a worker process went. */
export interface Ended {
  pid: number | undefined;
  exitCode: number | null;
  signal: string | null;
  /** Why it could not serve, where it said so. */
  failure: string | undefined;
  /** For how long it served. */
  servedMs: number;
}

/** A process that runs this very command line as a worker. */
export class WorkerProcess {
  /** Resolves when the process is gone; rejects when the system had none to give. */
  readonly ended: Promise<Ended>;
  readonly #worker: Worker;
  #report: Report | undefined;
  #servingSince: number | undefined;
  #online = false;
  readonly #questions = new Questions(
    (question) => this.#worker.isConnected() && this.#worker.send(question),
  );

  /** `environment` goes on top of this process's own. @throws when the system has no process to give */
  constructor(environment: Record<string, string>, onReport: (worker: WorkerProcess) => void) {
    this.#worker = cluster.fork(environment);
    this.#worker.on('online', () => {
      this.#online = true;
    });
    this.#worker.on('message', (message: Report | Reply) => {
      if ('reply' in message) {
        this.#questions.settle(message);
        return;
      }
      this.#report = message;
      if (this.baseUrl !== undefined) this.#servingSince = performance.now();
      onReport(this);
    });
    closeLostConnection(this.#worker);
    this.ended = new Promise((resolve, reject) => {
      const { pid } = this.#worker.process;
      this.#worker.on('exit', (exitCode, signal) => {
        this.#questions.giveUp();
        const servedMs = performance.now() - (this.#servingSince ?? performance.now());
        resolve({ pid, exitCode, signal, failure: this.failure, servedMs });
      });
      // Of a process that there is, this only tells that it ended before it read a message.
      this.#worker.on('error', (error) => pid === undefined && reject(error));
    });
  }

  /** What it serves at; undefined as long as it does not. */
  get baseUrl(): string | undefined {
    return this.#report !== undefined && 'serving' in this.#report ? this.#report.serving : undefined;
  }

  /** Why it cannot serve; undefined as long as nothing says so. */
  get failure(): string | undefined {
    return this.#report !== undefined && 'failed' in this.#report ? this.#report.failed : undefined;
  }

  /** @throws where it does not tell in time */
  ask<About extends keyof Told>(about: About): Promise<Told[About]> {
    return this.#questions.ask(about);
  }

  /** Lets it answer the requests that are under way, and then end. */
  release(): void {
    // It does so by itself when its channel closes, as when the primary process dies. A closed channel at
    // the very beginning would have Node fail with a stack.
    if (!this.#online) this.kill();
    else if (this.#worker.isConnected()) this.#worker.process.disconnect();
  }

  /** Has it look at the certificate and key files; one that is not serving yet has still to read them. */
  reread(): void {
    if (this.baseUrl !== undefined) this.#worker.process.kill('SIGHUP');
  }

  /** Ends it at once. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}

/**
 * A connection that a worker was handed and never took stays open when the worker dies, with nobody to
 * answer it: Node waits for it to be taken. A client whose connection is closed opens another.
 */
function closeLostConnection({ process }: Worker): void {
  const send = process.send;
  let handed: { close?: () => void } | undefined;
  process.send = (...sent: unknown[]) => {
    if (typeof sent[1] === 'object' && sent[1] !== null) handed = sent[1];
    return Reflect.apply(send, process, sent);
  };
  process.on('exit', () => handed?.close?.());
}
