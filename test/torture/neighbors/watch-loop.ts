// Preloaded into a server: measures how long its event loop is blocked. Each connection to the socket in
// LOOP_WATCH gets the figures since the last one, as JSON.
import { openSync, readSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createHistogram, PerformanceObserver } from 'node:perf_hooks';
import type { LoopFigures } from './loop-figures.ts';

const TICK_MS = 1;
/** Shorter gaps between ticks are not recorded one by one. */
const MIN_GAP_MS = 5;
const LONG_BLOCK_MS = 20;

interface Span {
  begin: number;
  end: number;
}

interface Gap extends Span {
  /** The time in which the process had no core. */
  descheduledMs: number;
}

const { LOOP_WATCH: path } = process.env;
// Child processes of the server must not watch themselves.
delete process.env.LOOP_WATCH;
if (path !== undefined) watch(path);

function watch(socketPath: string): void {
  const collections: Span[] = [];
  const keep = (entries: PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) {
      collections.push({ begin: startTime, end: startTime + duration });
    }
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });

  const schedule = openSync('/proc/thread-self/schedstat', 'r');
  const buffer = Buffer.alloc(64);
  const descheduled = (): number => {
    const length = readSync(schedule, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };

  const delays = createHistogram();
  let gaps: Gap[] = [];
  let longestGap = 0;
  let last = performance.now();
  let lastDescheduled = descheduled();
  let [since, descheduledBefore] = [last, lastDescheduled];
  const tick = (): void => {
    const now = performance.now();
    const nowDescheduled = descheduled();
    const gap = { begin: last, end: now, descheduledMs: nowDescheduled - lastDescheduled };
    const blocked = Math.max(0, now - last - TICK_MS - gap.descheduledMs);
    delays.record(Math.max(1, Math.round(blocked * 1_000)));
    if (blocked > MIN_GAP_MS) gaps.push(gap);
    longestGap = Math.max(longestGap, now - last - TICK_MS);
    [last, lastDescheduled] = [now, nowDescheduled];
  };
  setInterval(tick, TICK_MS).unref();

  const report = (): LoopFigures => {
    tick();
    keep(observer.takeRecords());
    const blocks = gaps.map((gap) => blockOf(gap, collections));
    const figures = {
      longestMs: Math.max(0, ...blocks),
      over20Ms: blocks.filter((block) => block > LONG_BLOCK_MS).length,
      p999Ms: delays.percentile(99.9) / 1_000,
      longestGapMs: longestGap,
      longestCollectionMs: Math.max(0, ...collections.map(({ begin, end }) => end - begin)),
      descheduledShare: (lastDescheduled - descheduledBefore) / (last - since),
      collectionsMs: collections.reduce((sum, { begin, end }) => sum + end - begin, 0),
    };
    delays.reset();
    gaps = [];
    collections.length = 0;
    longestGap = 0;
    [since, descheduledBefore] = [last, lastDescheduled];
    return figures;
  };
  // The socket may be left over from a killed server.
  rmSync(socketPath, { force: true });
  createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(report()));
  })
    .listen(socketPath)
    .unref();
}

/** Without descheduled time and garbage collection. */
function blockOf({ begin, end, descheduledMs }: Gap, collections: readonly Span[]): number {
  let collecting = 0;
  for (const span of collections) {
    collecting += Math.max(0, Math.min(end, span.end) - Math.max(begin, span.begin));
  }
  return Math.max(0, end - begin - TICK_MS - descheduledMs - collecting);
}
