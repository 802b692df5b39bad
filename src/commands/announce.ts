import type { Config } from '../config.ts';
import type { Context, openLog } from './context.ts';

/** A browser cannot open them. */
const ALL_ADDRESSES = ['0.0.0.0', '[::]'];

/** Writes to the log and, on a terminal, lines for a person. */
export function announce(
  context: Context,
  log: ReturnType<typeof openLog>,
  { publicUrl, workers }: Config,
  { baseUrl, metrics }: { baseUrl: string; metrics: string | null },
): void {
  log.info({ baseUrl, ...(workers > 1 && { workers }), metrics }, 'serving');
  if (!context.isTerminal) return;
  const { pathname, hostname, origin } = new URL(baseUrl);
  const reachable = ALL_ADDRESSES.includes(hostname) ? origin.replace(hostname, 'localhost') : origin;
  context.print(`
Tradepost is running.

  API:      ${publicUrl ?? reachable}${pathname}
  Console:  ${publicUrl ?? reachable}/console

Press Ctrl-C to stop.
`);
}
