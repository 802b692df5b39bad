import cluster, { type Worker } from 'node:cluster';
import { type Responses, WorkerRequests, type WorkerResponse } from './requests.ts';

/** The message that a worker sends to the primary process after its start: its base URL, or why it cannot serve. */
export type StartReport = { serving: string } | { failed: string };

/** How a worker process ended. */
export interface WorkerEnd {
  pid: number | undefined;
  exitCode: number | null;
  signal: string | null;
  /** Why it could not serve, if it reported that. */
  failure: string | undefined;
  /** How long it served. */
  servedMs: number;
}

/** A process that runs the same command line as a worker. */
export class WorkerProcess {
  /** Resolves when the process has ended. Rejects if the system could not create it. */
  readonly ended: Promise<WorkerEnd>;
  readonly #worker: Worker;
  #report: StartReport | undefined;
  #servingSince: number | undefined;
  #online = false;
  readonly #requests = new WorkerRequests(
    (request) => this.#worker.isConnected() && this.#worker.send(request),
  );

  /** `environment` is added to this process's environment. @throws if the system cannot create a process */
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
    closeLostConnection(this.#worker);
    this.ended = new Promise((resolve, reject) => {
      const { pid } = this.#worker.process;
      this.#worker.on('exit', (exitCode, signal) => {
        this.#requests.rejectAll();
        const servedMs = performance.now() - (this.#servingSince ?? performance.now());
        resolve({ pid, exitCode, signal, failure: this.failure, servedMs });
      });
      // If the process exists, this error only means that it ended before it read a message.
      this.#worker.on('error', (error) => pid === undefined && reject(error));
    });
  }

  /** The base URL that it serves; undefined if it is not serving. */
  get baseUrl(): string | undefined {
    return this.#report !== undefined && 'serving' in this.#report ? this.#report.serving : undefined;
  }

  /** Why it cannot serve; undefined if it did not report that. */
  get failure(): string | undefined {
    return this.#report !== undefined && 'failed' in this.#report ? this.#report.failed : undefined;
  }

  /** Requests a value from the worker. @throws {Error} if it does not respond in time */
  request<Wanted extends keyof Responses>(wanted: Wanted): Promise<Responses[Wanted]> {
    return this.#requests.request(wanted);
  }

  /** Stops the worker after its requests in progress. */
  release(): void {
    // Workers stop when their channel closes, as they do if the primary process dies. In a worker that is still
    // starting, Node would fail on a closed channel with a stack trace.
    if (!this.#online) this.kill();
    else if (this.#worker.isConnected()) this.#worker.process.disconnect();
  }

  /** Makes it reload the certificate and key files. A worker that is not serving yet will read them anyway. */
  reloadCertificate(): void {
    if (this.baseUrl !== undefined) this.#worker.process.kill('SIGHUP');
  }

  /** Ends it immediately. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}

/**
 * Closes the connection that was sent to a worker and not accepted when the worker dies. Node would keep it open without
 * a response. A client whose connection is closed opens a new one.
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
