import { isAway, serverAnswered, serverIsAway } from './reachable.ts';
import { errorFrom, ServerAway } from './server-error.ts';
import { signedInAgain } from './sign-in-again.ts';

interface Options {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  /** Whether a lost session is asked for again before giving up; not so for asking whether there is one. */
  needsSession?: boolean;
}

/**
 * Asks the console's server. Where the session has ended, waits until the merchant has signed in again and
 * asks once more, so that nothing typed is lost.
 * @throws {ServerError} for every answer but success; {ServerAway} where there is none
 */
export async function request<Answer>(path: string, options: Options = {}): Promise<Answer> {
  const { needsSession = true } = options;
  const response = await send(path, options);
  if (response.status === 401 && needsSession) {
    await signedInAgain();
    return request(path, options);
  }
  if (!response.ok) throw await errorFrom(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
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
    serverIsAway();
    throw new ServerAway();
  }
  if (isAway(response.status)) {
    serverIsAway();
    throw new ServerAway();
  }
  serverAnswered();
  return response;
}
