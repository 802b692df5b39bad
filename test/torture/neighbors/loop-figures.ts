import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How long a server's event loop was blocked, excluding garbage collection and time without a CPU core. */
export interface LoopFigures {
  longestMs: number;
  /** The number of blocks longer than 20 ms. */
  over20Ms: number;
  /** Over samples taken every millisecond, including garbage collection. */
  p999Ms: number;
  /** The longest time between turns of the event loop, for any reason. */
  longestGapMs: number;
  /** The share of the time in which the server was ready to run, but had no core. */
  descheduledShare: number;
  longestCollectionMs: number;
  collectionsMs: number;
}

const TIMEOUT_MS = 60_000;
const PROGRAM = join(import.meta.dirname, 'watch-loop.ts');

/** Returns the environment that makes a server watch its event loop and serve the figures at a socket path. */
export function watchedAt(path: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${PROGRAM}`, LOOP_WATCH: path };
}

/** Reads the figures of the server at this socket path since the last reading. */
export async function readLoopFigures(path: string): Promise<LoopFigures> {
  const socket = connect(path);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the event loop was blocked for a minute')));
  return JSON.parse(await text(socket)) as LoopFigures;
}
