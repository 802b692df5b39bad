import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { apiPath } from '../server/application.ts';
import { markUnreachable } from '../server/reachable.ts';
import { parseError, ServerError, ServerUnreachable } from '../server/server-error.ts';
import { waitForSignIn } from '../server/session-expiry.ts';
import { shopHeaders } from '../server/shop.ts';

/**
 * Sends a file and reports progress from 0 to 1. Uses XMLHttpRequest because `fetch` does not report upload
 * progress. If the session has expired, sends the file again after the user has signed in.
 * @throws {ServerError} for a status other than success; {ServerUnreachable} if there is no response, or its
 *   status is 502, 503 or 504
 */
export async function sendFile(
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<ConsoleImport> {
  const { status, body } = await send(file, onProgress, signal);
  if (status === 401) {
    await waitForSignIn();
    return sendFile(file, onProgress, signal);
  }
  if (status < 200 || status > 299) throw new ServerError(status, parseError(body, status));
  return JSON.parse(body) as ConsoleImport;
}

function send(
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const request = new XMLHttpRequest();
  request.open('POST', `${apiPath}imports?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  for (const [name, value] of Object.entries(shopHeaders())) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total === 0 ? 1 : loaded / total),
  );
  request.addEventListener('load', () => resolve({ status: request.status, body: request.responseText }));
  request.addEventListener('error', () => {
    markUnreachable();
    reject(new ServerUnreachable());
  });
  request.addEventListener('abort', () => reject(new DOMException('The upload was canceled.', 'AbortError')));
  signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}
