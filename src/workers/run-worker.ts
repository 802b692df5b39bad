import cluster, { type Worker } from 'node:cluster';

/** What a worker process tells the primary one, once: the base URL that it serves at, or why it cannot. */
export type Report = { serving: string } | { failed: string };

/** How a worker process ended. */
export interface Ended {
  pid: number | undefined;
  exitCode: number | null;
  signal: string | null;
}

/**
 * Runs this command line in a worker process, and resolves when that is gone.
 * @throws when the system has no process to give
 */
export async function runWorker(
  environment: Record<string, string>,
  onStart: (worker: Worker) => void,
  onReport: (report: Report) => void,
): Promise<Ended> {
  const worker = cluster.fork(environment);
  const { pid } = worker.process;
  const ended = Promise.withResolvers<Ended>();
  worker.on('message', onReport);
  worker.on('exit', (exitCode, signal) => ended.resolve({ pid, exitCode, signal }));
  // Of one that did start this only tells that it ended before it read a message.
  worker.on('error', (error) => pid === undefined && ended.reject(error));
  closeWithWorker(worker);
  onStart(worker);
  return await ended.promise;
}

/**
 * A connection that a worker was handed and never took would stay open when it dies, with nobody to
 * answer: Node waits for it to be taken. A closed one the client opens anew.
 */
function closeWithWorker(worker: Worker): void {
  const send = worker.process.send;
  let handed: { close?: () => void } | undefined;
  worker.process.send = (...sent: unknown[]) => {
    if (typeof sent[1] === 'object' && sent[1] !== null) handed = sent[1];
    return Reflect.apply(send, worker.process, sent);
  };
  worker.on('exit', () => handed?.close?.());
}
