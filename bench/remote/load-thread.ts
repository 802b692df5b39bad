import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Connection, trust } from './connection.ts';
import { describeRefusal, secondsToWait } from './refusals.ts';
import { type Catalog, type RequestKind, requestKinds, type Share } from './requests.ts';

export interface ThreadLoad {
  baseUrl: string;
  ca: string | undefined;
  kind: RequestKind;
  catalogs: readonly Catalog[];
  share: Share;
  seconds: number;
  connections: number;
}

export interface ThreadResult {
  /** Shorter than requested if there were no requests left. */
  seconds: number;
  /** Response times of the requests with status 200, in ms. */
  times: number[];
  bytes: number;
  /** Other outcomes, by reason. */
  failures: Record<string, number>;
  /** As `Retry-After` said, in seconds of one connection. */
  waited: number;
}

const PAUSE_AFTER_FAILURE_MS = 100;

/** Each connection sends a request after each response. After a refusal, it waits as `Retry-After` says. */
async function sendLoad(load: ThreadLoad): Promise<ThreadResult> {
  const { kind, catalogs, share, connections } = load;
  const context = trust(load.ca);
  const paths = requestKinds[kind](catalogs, share);
  const open = Array.from({ length: connections }, () => new Connection(new URL(load.baseUrl), context));
  // Handshakes are not measured. This path needs no token and has no effect.
  await Promise.all(open.map((connection) => connection.get('/').catch(() => {})));
  const start = performance.now();
  const end = start + load.seconds * 1000;
  const result: ThreadResult = { seconds: 0, times: [], bytes: 0, failures: {}, waited: 0 };
  const fail = async (reason: string, milliseconds: number): Promise<void> => {
    result.failures[reason] = (result.failures[reason] ?? 0) + 1;
    const wait = Math.max(0, Math.min(milliseconds, end - performance.now()));
    result.waited += wait / 1000;
    await pause(wait);
  };
  const runConnection = async (connection: Connection): Promise<void> => {
    while (performance.now() < end) {
      const { value: path } = paths.next();
      if (path === undefined) return;
      try {
        const { status, headers, body, milliseconds } = await connection.get(path);
        if (status === 200) {
          result.times.push(milliseconds);
          result.bytes += body.length;
        } else {
          await fail(describeRefusal(status, headers, body), 1000 * secondsToWait(status, headers));
        }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
        await fail(`no response: ${code}`, PAUSE_AFTER_FAILURE_MS);
      }
    }
  };
  await Promise.all(open.map(runConnection));
  result.seconds = (performance.now() - start) / 1000;
  for (const connection of open) connection.close();
  return result;
}

parentPort?.postMessage(await sendLoad(workerData));
