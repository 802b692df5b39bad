import type { Call } from './curl.ts';
import type { Parameter } from './open-api.ts';

/** What came back of a call. */
export interface Answer {
  status: number;
  statusText: string;
  milliseconds: number;
  headers: [string, string][];
  body: string;
}

/** The call that a filled-in form stands for: blank fields left out, post data as a form. */
export function callOf(
  { url, method, parameters }: { url: string; method: string; parameters: Parameter[] },
  values: Record<string, string>,
  token: string,
): Call {
  const given = new URLSearchParams({ access_token: token });
  const headers: Record<string, string> = {};
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim();
    if (value === undefined || value === '') continue;
    if (place === 'header') headers[name] = value;
    else given.set(name, value);
  }
  return method === 'POST'
    ? { method, url, headers, body: given.toString() }
    : { method, url: `${url}?${given}`, headers };
}

export async function send({ method, url, body, headers = {} }: Call): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(url, {
    method,
    // The console's session is none of the API's business.
    credentials: 'omit',
    cache: 'no-store',
    headers:
      body === undefined ? headers : { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: body ?? null,
  });
  const text = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - started,
    headers: [...response.headers],
    body: indented(text),
  };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
