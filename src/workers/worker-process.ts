import cluster, { type Worker } from 'node:cluster';
import { type Responses, WorkerRequests, type WorkerResponse } from './requests.ts';

/** A worker sends it after its start: its base URL, or why it cannot serve. */
export type StartReport = { serving: string } | { failed: string };

export interface WorkerEnd {
  pid: number | undefined;
  exitCode: number | null;
  signal: string | null;
  failure: string | undefined;
  servedMs: number;
}

/** Runs the same command line as this process. */
export class WorkerProcess {
  /** Rejects if the system could not create the process. */
  readonly ended: Promise<WorkerEnd>;
  readonly #worker: Worker;
  #report: StartReport | undefined;
  #servingSince: number | undefined;
  #online = false;
  readonly #requests = new WorkerRequests(
    (request) => this.#worker.isConnected() && this.#worker.send(request),
  );

  /** Adds `environment` to this process's. @throws if the system cannot create a process */
  constructor(environment: Record<string, string>, onReport: (worker: WorkerProcess) => void) {
    this.#worker = cluster.fork(environment);
    this.#worker.on('online', () => {
      this.#online = true;
    });
    this.#worker.on('message', (message: StartReport | WorkerResponse) => {
      if ('responseTo' in message) {
        this.#requests.settle(message);
        return;
      }
      this.#report = message;
      if (this.baseUrl !== undefined) this.#servingSince = performance.now();
      onReport(this);
    });
    // Without distribution, what a worker gets is the listening socket, which the others need.
    if (cluster.schedulingPolicy !== cluster.SCHED_NONE) closeLostConnection(this.#worker);
    this.ended = new Promise((resolve, reject) => {
      const { pid } = this.#worker.process;
      this.#worker.on('exit', (exitCode, signal) => {
        this.#requests.rejectAll();
        const servedMs = performance.now() - (this.#servingSince ?? performance.now());
        resolve({ pid, exitCode, signal, failure: this.failure, servedMs });
      });
      // If the process exists, it ended before it read a message.
      this.#worker.on('error', (error) => pid === undefined && reject(error));
    });
  }

  /** Undefined if it is not serving. */
  get baseUrl(): string | undefined {
    return this.#report !== undefined && 'serving' in this.#report ? this.#report.serving : undefined;
  }

  get failure(): string | undefined {
    return this.#report !== undefined && 'failed' in this.#report ? this.#report.failed : undefined;
  }

  /** Requests a value from the worker. @throws {Error} if it does not respond in time */
  request<Wanted extends keyof Responses>(wanted: Wanted): Promise<Responses[Wanted]> {
    return this.#requests.request(wanted);
  }

  /** The worker ends after its requests in progress. */
  release(): void {
    // Workers stop when their channel closes, also if the primary process dies. While a worker starts, Node
    // would fail on a closed channel with a stack trace.
    if (!this.#online) this.kill();
    else if (this.#worker.isConnected()) this.#worker.process.disconnect();
  }

  /** A worker that is not serving yet will read the files anyway. */
  reloadCertificate(): void {
    if (this.baseUrl !== undefined) this.#worker.process.kill('SIGHUP');
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}

/**
 * When a worker dies, closes the connection that was sent to it and not accepted. Node would keep it open
 * without a response; so the client opens a new one.
 */
function closeLostConnection({ process }: Worker): void {
  const send = process.send;
  let sentHandle: { close?: () => void } | undefined;
  process.send = (...sent: unknown[]) => {
    if (typeof sent[1] === 'object' && sent[1] !== null) sentHandle = sent[1];
    return Reflect.apply(send, process, sent);
  };
  process.on('exit', () => sentHandle?.close?.());
}
