import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Blocks of an event loop, without garbage collection and time without a CPU core. */
export interface LoopFigures {
  longestMs: number;
  over20Ms: number;
  /** Over samples taken every millisecond, including garbage collection. */
  p999Ms: number;
  /** The longest time between turns, for any reason. */
  longestGapMs: number;
  /** The share of the time in which the server was ready to run, but had no core. */
  descheduledShare: number;
  longestCollectionMs: number;
  collectionsMs: number;
}

const TIMEOUT_MS = 60_000;
const PROGRAM = join(import.meta.dirname, 'watch-loop.ts');

/** Makes a server watch its event loop and serve the figures at a socket path. */
export function watchedAt(path: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${PROGRAM}`, LOOP_WATCH: path };
}

/** Since the last reading. */
export async function readLoopFigures(path: string): Promise<LoopFigures> {
  const socket = connect(path);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the event loop was blocked for a minute')));
  return JSON.parse(await text(socket)) as LoopFigures;
}
