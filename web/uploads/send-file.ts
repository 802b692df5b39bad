import type { Upload } from '../../src/console/console-api.ts';
import { serverIsAway } from '../server/reachable.ts';
import { readError, ServerAway, ServerError } from '../server/server-error.ts';
import { signedInAgain } from '../server/sign-in-again.ts';

/**
 * Sends a file, telling how much of it has gone (0 to 1). XMLHttpRequest, as `fetch` does not tell. Where the
 * session has ended the file is sent again after signing in.
 */
export async function sendFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Upload> {
  const { status, body } = await send(file, onProgress, signal);
  if (status === 401) {
    await signedInAgain();
    return sendFile(file, onProgress, signal);
  }
  if (status < 200 || status > 299) throw new ServerError(status, readError(body, status));
  return JSON.parse(body) as Upload;
}

function send(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const request = new XMLHttpRequest();
  request.open('POST', `/console/api/uploads?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total === 0 ? 1 : loaded / total),
  );
  request.addEventListener('load', () => resolve({ status: request.status, body: request.responseText }));
  request.addEventListener('error', () => {
    serverIsAway();
    reject(new ServerAway());
  });
  request.addEventListener('abort', () => reject(new DOMException('The upload was stopped.', 'AbortError')));
  signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}
