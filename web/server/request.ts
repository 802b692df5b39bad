import { apiPath, base } from './application.ts';
import { queryClient } from './query-client.ts';
import { isUnavailable, markReachable, markUnreachable } from './reachable.ts';
import { etagOf, ServerUnreachable, toServerError } from './server-error.ts';
import { waitForSignIn } from './session-expiry.ts';
import { isOfOtherShop, shopHeaders } from './shop.ts';
import { watchResponse } from './watch-response.ts';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** The version that a write expects. */
  ifMatch?: string;
  signal?: AbortSignal;
  /** Whether a 401 waits for the user to sign in again. False for requests that do not need a session. */
  needsSession?: boolean;
}

/**
 * Sends a request to an endpoint of the application's own pages. If the session has expired, waits until the
 * user has signed in again and repeats the request, so that no input is lost.
 * @throws {ServerError} for a status other than success; {ServerUnreachable} if there is no response, or its
 *   status is 502, 503 or 504
 */
export async function request<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
  return (await requestVersion<Body>(`${apiPath}${path}`, options)).body;
}

/** Sends a write. Otherwise like `request`. */
export function post<Body>(path: string, body: unknown = {}, options: RequestOptions = {}): Promise<Body> {
  return request<Body>(path, { ...options, method: 'POST', body });
}

/** Like `request`, for any URL of the server, and with the version of the response's body. */
export async function requestVersion<Body>(
  url: string,
  options: RequestOptions = {},
): Promise<{ body: Body; etag: string }> {
  const { needsSession = true } = options;
  const response = await send(url, options);
  if (response.headers.get('console-error') === 'support_view_ended') {
    // The next page does not show the data of another merchant among this one's.
    location.replace(`${base}support-view`);
    return await new Promise(() => {});
  }
  if (response.status === 401 && needsSession) {
    await waitForSignIn();
    return requestVersion(url, options);
  }
  // Its answer tells which shop the session is in.
  if (isOfOtherShop(response)) void queryClient.refetchQueries({ queryKey: ['session'] });
  if (!response.ok) throw await toServerError(response);
  const text = await response.text();
  const body = (text === '' ? undefined : JSON.parse(text)) as Body;
  return { body, etag: etagOf(response) };
}

async function send(
  url: string,
  { method = 'GET', body, ifMatch, signal }: RequestOptions,
): Promise<Response> {
  let response: Response;
  try {
    const fetched = fetch(url, {
      method,
      signal: signal ?? null,
      headers: {
        accept: 'application/json',
        ...shopHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    response = await watchResponse(fetched);
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
