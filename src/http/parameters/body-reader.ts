import { PassThrough, type Readable } from 'node:stream';
import { requestErrors } from '../responses/request-errors.ts';

/**
 * Returns a stream of a request's body. Destroying it leaves the body open, so that the client can get a
 * response. The stream fails with `malformed_request` if the client disconnects before the end of the body.
 */
export function readerOf(body: Readable): PassThrough {
  const reader = new PassThrough();
  const onDisconnect = (): void => {
    if (!body.readableEnded) reader.destroy(requestErrors.malformed_request());
  };
  body.on('error', onDisconnect).on('close', onDisconnect).pipe(reader);
  // Whoever reads the stream gets the error too.
  return reader.on('error', () => {});
}
