import { isUnavailable, markReachable, markUnreachable } from './reachable.ts';
import { ServerUnreachable, toServerError } from './server-error.ts';
import { waitForSignIn } from './session-expiry.ts';

interface Options {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** Whether a 401 waits for the user to sign in again. False for requests that do not need a session. */
  needsSession?: boolean;
}

/**
 * Sends a request to the console's server. If the session has expired, waits until the user has signed in
 * again and repeats the request, so that no input is lost.
 * @throws {ServerError} for a status other than success; {ServerUnreachable} if there is no response, or its
 *   status is 502, 503 or 504
 */
export async function request<Body>(path: string, options: Options = {}): Promise<Body> {
  const { needsSession = true } = options;
  const response = await send(path, options);
  if (response.status === 401 && needsSession) {
    await waitForSignIn();
    return request(path, options);
  }
  if (!response.ok) throw await toServerError(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

async function send(path: string, { method = 'GET', body, signal }: Options): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/console/api/${path}`, {
      method,
      signal: signal ?? null,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    markUnreachable();
    throw new ServerUnreachable();
  }
  if (isUnavailable(response.status)) {
    markUnreachable();
    throw new ServerUnreachable();
  }
  markReachable();
  return response;
}
