import type { Config } from '../config.ts';
import type { Context, openLog } from './context.ts';

/** A browser cannot open them. */
const ALL_ADDRESSES = ['0.0.0.0', '[::]'];

/** Writes to the log and, on a terminal, lines for a person. */
export function announce(
  context: Context,
  log: ReturnType<typeof openLog>,
  { publicUrl, operatorAddress, workers }: Config,
  { baseUrl, metrics, setUpLink }: { baseUrl: string; metrics: string | null; setUpLink: string | undefined },
): void {
  log.info({ baseUrl, ...(workers > 1 && { workers }), metrics }, 'serving');
  if (setUpLink !== undefined)
    log.warn(
      { setUpLink },
      'nobody can sign in yet: open the link within 30 minutes to set up the marketplace',
    );
  if (!context.isTerminal) return;
  const { pathname, hostname, origin } = new URL(baseUrl);
  const reachable = ALL_ADDRESSES.includes(hostname) ? origin.replace(hostname, 'localhost') : origin;
  const operator = operatorAddress === null ? `\n  Operator: ${publicUrl ?? reachable}/operator` : '';
  const setUp =
    setUpLink === undefined ? '' : `\n  Set up your marketplace within 30 minutes:\n  ${setUpLink}\n`;
  context.print(`
Tradepost is running.

  API:      ${publicUrl ?? reachable}${pathname}
  Console:  ${publicUrl ?? reachable}/console${operator}
${setUp}
Press Ctrl-C to stop.
`);
}
