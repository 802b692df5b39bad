import type { BodyMemory } from '../gate/body-memory.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { type QueueServices, queueOf } from '../gate/request-queue.ts';
import { type FileRequest, openFileRequest } from '../parameters/incoming-file.ts';
import { MAX_HELD_FILE_BYTES } from '../request-limits.ts';
import type { Authentication, EndpointCaller, Exchange, SentParameters } from './authentication.ts';
import { announcedBytes } from './large-post-data.ts';

interface ReceiveFieldsServices extends QueueServices {
  authentication: Pick<Authentication<EndpointCaller, never>, 'acceptsTokenParameter'>;
  overloadControl: OverloadControl;
  bodyMemory: BodyMemory;
}

/**
 * Reads a request up to its file. If its token can only follow the file, reads it to its end, and holds the
 * file in memory that counts for the client's network.
 * @throws {DomainError} `token_after_large_file` for a held file above `MAX_HELD_FILE_BYTES`, `overloaded`,
 *   `unreadable_body`, `too_many_parameters`
 */
export async function receiveFields(
  services: ReceiveFieldsServices,
  exchange: Exchange,
  read: (fields: FileRequest['fields']) => Promise<SentParameters>,
): Promise<SentParameters & FileRequest> {
  const { authentication, overloadControl, bodyMemory } = services;
  const { request, reply } = exchange;
  // A client may send the fields and the file slowly.
  const opened = await overloadControl.runOutside(() => openFileRequest(request));
  const { hold } = opened;
  const parameters = await read(opened.fields);
  const hasToken = (parameters.sent.get('access_token') ?? []).length > 0;
  if (hold === undefined || hasToken || !authentication.acceptsTokenParameter)
    return { ...opened, ...parameters };
  const bytes = Math.min(announcedBytes(request.raw), MAX_HELD_FILE_BYTES);
  const withdrawn = bodyMemory.reserve(queueOf(services, request.raw), bytes, request, reply);
  const held = await overloadControl.runOutside(() => hold(Buffer.allocUnsafeSlow(bytes), withdrawn));
  return { ...held, ...(await read(held.fields)) };
}
