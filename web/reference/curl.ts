import type { ConsoleSession } from '../../src/console/console-api.ts';

/** The file name with which the page offers the service's self-signed certificate for download. */
export const CERTIFICATE_FILE = 'tradepost.pem';

/** A request to the API. */
export interface ApiRequest {
  method: string;
  url: string;
  /** Form data. */
  body?: string;
  headers?: Record<string, string>;
}

/** Returns the `curl` command for a request. A self-signed certificate is read from `CERTIFICATE_FILE`. */
export function curlCommand(
  { method, url, body, headers = {} }: ApiRequest,
  { certificate }: Pick<ConsoleSession, 'certificate'>,
): string {
  const words = ['curl'];
  if (certificate !== null) words.push('--cacert', CERTIFICATE_FILE);
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) words.push('-X', method);
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('-d', quote(body));
  words.push(quote(url));
  return words.join(' ');
}

/** Quotes a word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
