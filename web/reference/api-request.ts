import type { ApiRequest } from './curl.ts';
import type { Parameter } from './open-api.ts';

/** A response of the API, with its body indented if it is JSON. */
export interface ApiResponse {
  status: number;
  statusText: string;
  milliseconds: number;
  headers: [string, string][];
  body: string;
}

/**
 * Builds the request for a filled-in form, with the token in the `Authorization` header. Omits blank fields.
 * A POST or PUT sends its parameters as form data.
 */
export function buildRequest(
  { url, method, parameters }: { url: string; method: string; parameters: Parameter[] },
  values: Record<string, string>,
  token: string,
): ApiRequest {
  const data = new URLSearchParams();
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  let address = url;
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim();
    if (value === undefined || value === '') continue;
    if (place === 'header') headers[name] = value;
    else if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else data.set(name, value);
  }
  if (method === 'POST' || method === 'PUT') return { method, url: address, headers, body: data.toString() };
  return { method, url: data.size === 0 ? address : `${address}?${data}`, headers };
}

/** Sends a request to the API. @throws {TypeError} if there is no response, like `fetch` */
export async function sendRequest({ method, url, body, headers = {} }: ApiRequest): Promise<ApiResponse> {
  const started = performance.now();
  const response = await fetch(url, {
    method,
    // The API must not receive the console's session cookie.
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
    body: indentJson(text),
  };
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
