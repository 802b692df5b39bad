import { STATUS_CODES } from 'node:http';
import {
  type FindAddress,
  LookupFailed,
  ReceiverRefused,
  withoutBrackets,
} from '../../webhooks/receiver-address.ts';
import { untilAborted } from '../../webhooks/send-message.ts';
import { FETCH_MS, type FetchedStart, type FetchStart, type ResponseStart } from './fetch-start.ts';
import { problemOfContent } from './recognize-image.ts';

const TOO_MANY_REQUESTS = 429;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * What is wrong with an image, in words that follow “The image at …”, or null. The outcome is `unknown` if
 * the check says nothing about the image.
 */
export type ImageOutcome = { problem: string | null } | 'unknown';

export interface CheckParts {
  findAddress: FindAddress;
  fetchStart: FetchStart;
  /** Ends all checks in progress, whose outcome is `unknown`. */
  stopping: AbortSignal;
}

/** Checks whether an address answers with an image. */
export async function checkImage(
  { findAddress, fetchStart, stopping }: CheckParts,
  url: string,
  timeout = AbortSignal.timeout(FETCH_MS),
): Promise<ImageOutcome> {
  const signal = AbortSignal.any([stopping, timeout]);
  try {
    const host = withoutBrackets(new URL(url).hostname);
    const address = await untilAborted(findAddress(host, 'merchant', signal), signal);
    const fetched = await fetchStart({ url, address }, signal);
    return stopping.aborted ? 'unknown' : outcomeOf(fetched);
  } catch (error) {
    // A name server that does not answer says nothing about the name.
    if (!(error instanceof ReceiverRefused) || error instanceof LookupFailed) return 'unknown';
    return { problem: `didn’t load. ${asSentence(error.message)}` };
  }
}

function outcomeOf(fetched: FetchedStart): ImageOutcome {
  if ('error' in fetched) return { problem: `didn’t load: ${fetched.error}.` };
  const { status } = fetched;
  if (status === TOO_MANY_REQUESTS) return 'unknown';
  if (status >= 200 && status < 300) return { problem: problemOfResponse(fetched) };
  const named = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  if (REDIRECTS.includes(status)) return { problem: `redirects (${named}). Enter the final address.` };
  return { problem: `returned ${named}.` };
}

/** What has arrived is judged only if it is an image. */
function problemOfResponse(response: ResponseStart): string | null {
  const problem = problemOfContent(response);
  return problem === null || response.cutBy === null ? problem : `didn’t load: ${response.cutBy}.`;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
