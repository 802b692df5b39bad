import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How long a server's event loop was blocked, without garbage collections and time that others had the core. */
export interface LoopFigures {
  longestMs: number;
  /** Blocks of more than 20 ms. */
  over20Ms: number;
  /** Over samples taken every millisecond; garbage collections count here. */
  p999Ms: number;
  /** The longest time without a turn, whatever the reason. */
  longestGapMs: number;
  /** The share of the time in which the server was ready to run, and the kernel had others run. */
  descheduledShare: number;
  longestCollectionMs: number;
  collectionsMs: number;
}

const PATIENCE_MS = 60_000;
const PROGRAM = join(import.meta.dirname, 'watch-loop.ts');

/** The environment that makes a server watch its event loop. */
export function watchedAt(path: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${PROGRAM}`, LOOP_WATCH: path };
}

/** The figures of the server that is watched at this path, since they were last read. */
export async function readLoopFigures(path: string): Promise<LoopFigures> {
  const socket = connect(path);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the event loop had no turn for a minute')));
  return JSON.parse(await text(socket)) as LoopFigures;
}
