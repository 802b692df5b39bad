import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { percentile } from '../measuring/steady.ts';
import type { ThreadLoad, ThreadResult } from './load-thread.ts';
import type { RemoteOptions } from './options.ts';
import type { Catalog, RequestKind } from './requests.ts';

export interface KindResult {
  kind: RequestKind;
  seconds: number;
  /** Responses with status 200. */
  served: number;
  /** Their response times, in ms. */
  median: number;
  p99: number;
  /** The mean size of their bodies. */
  bytes: number;
  /** Other outcomes, by reason. */
  failures: Record<string, number>;
  /** The share of the connections' time that they waited as `Retry-After` said. */
  waited: number;
  /** The share of the available cores that the load generator used. */
  generatorShare: number;
}

export async function measureKind(
  kind: RequestKind,
  catalogs: readonly Catalog[],
  { baseUrl, ca, seconds, connections }: RemoteOptions,
): Promise<KindResult> {
  const threads = Math.min(availableParallelism(), connections);
  const startCpu = process.cpuUsage();
  const start = performance.now();
  const results = await Promise.all(
    Array.from({ length: threads }, (_, index) =>
      runThread({
        baseUrl: baseUrl.href,
        ca,
        kind,
        catalogs,
        share: { index, of: threads },
        seconds,
        connections: Math.floor((connections + index) / threads),
      }),
    ),
  );
  const cpu = process.cpuUsage(startCpu);
  const cores = (cpu.user + cpu.system) / 1000 / (performance.now() - start);
  const times = results.flatMap((result) => result.times);
  const sum = (figure: (result: ThreadResult) => number): number =>
    results.reduce((total, result) => total + figure(result), 0);
  const failures: Record<string, number> = {};
  for (const [reason, count] of results.flatMap((result) => Object.entries(result.failures))) {
    failures[reason] = (failures[reason] ?? 0) + count;
  }
  const duration = Math.max(...results.map((result) => result.seconds));
  return {
    kind,
    seconds: duration,
    served: times.length,
    median: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    bytes: times.length === 0 ? 0 : sum(({ bytes }) => bytes) / times.length,
    failures,
    waited: sum(({ waited }) => waited) / (duration * connections),
    generatorShare: cores / threads,
  };
}

async function runThread(load: ThreadLoad): Promise<ThreadResult> {
  // Data of the thread, so that no token is on a command line or in an environment.
  const thread = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: load });
  const [result]: ThreadResult[] = await once(thread, 'message');
  if (result === undefined) throw new Error('a thread of the load generator sent no result');
  await thread.terminate();
  return result;
}
