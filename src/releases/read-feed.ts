import { messageOf } from '../shared/error-message.ts';
import { readBounded } from '../shared/read-bounded.ts';
import { FeedUnusable, type NewestRelease, parseNewestRelease } from './newest-release.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
/** Says nothing about the installation, not even its version. */
const HEADERS = { accept: 'application/json', 'user-agent': 'Tradepost' };

/**
 * Reads what is the newest release. Follows no redirects, so that only the address of the setting is asked.
 * @throws {FeedUnusable} also if the server does not respond in ten seconds, or `signal` aborts
 */
export async function readFeed(url: string, signal: AbortSignal): Promise<NewestRelease> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return parseNewestRelease(
    await readText(url, AbortSignal.any([signal, timeout])).catch((error: unknown) => {
      if (error instanceof FeedUnusable) throw error;
      throw new FeedUnusable(timeout.aborted ? 'no response in time' : reasonOf(error), { cause: error });
    }),
  );
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { headers: HEADERS, redirect: 'manual', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new FeedUnusable(`the response has status ${response.status} instead of 200`);
  }
  const body = await readBounded(response.body ?? [], MAX_BYTES);
  if (body === undefined) throw new FeedUnusable(`it has more than ${MAX_BYTES} bytes`);
  return body.toString();
}

/** `fetch` says why only in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error).replace(/\.$/, '');
}
