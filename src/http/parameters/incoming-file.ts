import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { isUtf8 } from './multipart.ts';
import { type MultipartFile, openMultipart } from './multipart-file.ts';
import type { RawParameter } from './raw-parameters.ts';

export interface IncomingFile {
  /** If it fails, the request itself stays open. */
  stream: Readable;
  /** The file's name on the client's computer, if the request has it. */
  name: string | undefined;
  /** The size according to the client; 0 if unknown. */
  announcedBytes: number;
  /** The fields after the file, once its stream has ended. */
  fieldsAfter: readonly RawParameter[];
  /** Ends reading with an error, and closes the connection. */
  abort(error: Error): void;
}

/** A request up to its file. */
export interface FileRequest {
  fields: readonly RawParameter[];
  file: IncomingFile | undefined;
  /**
   * Copies the file into this memory, and reads the fields after it. Undefined if none can follow.
   * @throws {DomainError} `token_after_large_file` if the memory is too small, `overloaded` once it is
   *   withdrawn, `unreadable_body`, `too_many_parameters`
   */
  hold: ((memory: Buffer, withdrawn: AbortSignal) => Promise<FileRequest>) | undefined;
}

export const NO_FILE: FileRequest = { fields: [], file: undefined, hold: undefined };

/**
 * Makes a scope receive files: `multipart/form-data` and types that are not post data become streams. Only
 * use it in a scope of its own: no other endpoint may receive unlimited bodies.
 */
export function acceptFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ['application/json', 'application/x-www-form-urlencoded'],
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/** Makes a scope's endpoints receive all bodies as streams. Only use it in a scope of its own. */
export function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/**
 * Reads a request up to its file: the field `file` of a multipart body, or a body that is not post data.
 * @throws {DomainError} `unreadable_body`, `too_many_parameters`
 */
export async function openFileRequest({ body, headers }: FastifyRequest): Promise<FileRequest> {
  if (!(body instanceof Readable)) return NO_FILE;
  const contentType = headers['content-type'] ?? '';
  const isMultipart = /^multipart\/form-data\s*(;|$)/i.test(contentType.trim());
  const encoding = headers['content-encoding'] ?? 'identity';
  // A file may be compressed anyway, and its content shows whether it is.
  if (encoding !== 'identity' && (isMultipart || encoding !== 'gzip'))
    throw requestErrors.unreadable_body('it has a Content-Encoding other than gzip');
  if (!isMultipart) {
    const announcedBytes = Number(headers['content-length'] ?? 0);
    const abort = (error: Error): void => void body.destroy(error);
    const file = { stream: body, name: undefined, announcedBytes, fieldsAfter: [], abort };
    return { fields: [], file, hold: undefined };
  }
  const { fields, file } = await openMultipart(body, contentType);
  if (file === undefined) return { ...NO_FILE, fields };
  const abort = (error: Error): void => {
    file.fail(error);
    body.destroy(error);
  };
  return {
    fields,
    file: { stream: file.stream, name: file.name, announcedBytes: 0, fieldsAfter: file.fieldsAfter, abort },
    hold: async (memory, withdrawn) => {
      const held = await holdFile(file, memory, withdrawn);
      return { fields: [...fields, ...file.fieldsAfter], file: held, hold: undefined };
    },
  };
}

async function holdFile(
  { stream, name, fail }: MultipartFile,
  memory: Buffer,
  withdrawn: AbortSignal,
): Promise<IncomingFile> {
  const refuse = (): void => fail(requestErrors.overloaded());
  if (withdrawn.aborted) refuse();
  withdrawn.addEventListener('abort', refuse, { once: true });
  let bytes = 0;
  // Copied, because a file that arrives in tiny chunks would take much more memory as a list of them.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes + chunk.length > memory.length) throw requestErrors.token_after_large_file();
    bytes += chunk.copy(memory, bytes);
  }
  const held = Readable.from([memory.subarray(0, bytes)], { objectMode: false });
  const abort = (error: Error): void => void held.destroy(error);
  return { stream: held, name, announcedBytes: bytes, fieldsAfter: [], abort };
}

/** @throws {DomainError} `unreadable_body` unless the body is a stream of NDJSON */
export function requireNdjson({ body, headers }: FastifyRequest): void {
  const type = headers['content-type'] ?? '';
  if (!(body instanceof Readable) || !/^application\/x-ndjson\s*(;|$)/i.test(type.trim()))
    throw requestErrors.unreadable_body('its Content-Type must be application/x-ndjson');
  if (!isUtf8(type)) throw requestErrors.unreadable_body('its charset must be UTF-8');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw requestErrors.unreadable_body('it has a Content-Encoding other than gzip');
}

/** Discards what has not been read of a request's body, so that its client can read the response. */
export function discardBody({ body }: FastifyRequest): void {
  if (!(body instanceof Readable) || body.destroyed) return;
  body.unpipe();
  body.resume();
}
