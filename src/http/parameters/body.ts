import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_PARAMETERS } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { findJsonError } from './json-error.ts';
import { isUtf8, readMultipart } from './multipart.ts';
import { isNestedDeeper, type RawParameter, readForm, readJsonMembers } from './raw-parameters.ts';

/** Makes Fastify accept post data on GET and HEAD too (contract, “Parameters”). */
export function acceptBodiesOnAllMethods(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  keepBodiesAsBuffers(app);
}

/** Makes Fastify accept bodies of any type and keep them as buffers, for `readBody`. */
export function keepBodiesAsBuffers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
}

/**
 * Reads the parameters in a request's post data, in order, up to `maximum` form fields. Parsing may take
 * milliseconds, so call this only in the request's turn (`OverloadControl`).
 * @throws {DomainError} `unreadable_body`, `too_many_parameters`
 */
export async function readBody(request: FastifyRequest, maximum = MAX_PARAMETERS): Promise<RawParameter[]> {
  // A body that the handler reads as a stream is not a buffer.
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return [];
  const type = typeOfBody(request);
  if ((type === '' || type === 'application/x-www-form-urlencoded') && isUndeclaredJson(request, body))
    throw requestErrors.unreadable_body('it looks like JSON: send it with Content-Type: application/json');
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return readForm(body.toString('latin1'), maximum);
    case 'application/json':
      return readJson(body);
    case 'multipart/form-data':
      // Only checks the encoding.
      decodeUtf8(body);
      return await readMultipart(body, request.headers['content-type'] ?? '', maximum);
    default:
      throw requestErrors.unreadable_body(
        'its Content-Type must be application/x-www-form-urlencoded, application/json or multipart/form-data',
      );
  }
}

/**
 * Returns the media type of post data, in lower case.
 * @throws {DomainError} `unreadable_body` if it is compressed, or in another charset than UTF-8
 */
export function typeOfBody({ headers }: FastifyRequest): string {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw requestErrors.unreadable_body(
      'it has a Content-Encoding, which is not accepted; send the data uncompressed',
    );
  const contentType = headers['content-type'] ?? '';
  if (!isUtf8(contentType)) throw requestErrors.unreadable_body('its charset must be UTF-8');
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** @throws {DomainError} `unreadable_body` if it is not UTF-8 */
export function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw requestErrors.unreadable_body('it is not UTF-8');
  }
}

/** @throws {DomainError} `unreadable_body` if it is malformed or nested too deep */
export function parseJson(json: string): unknown {
  if (isNestedDeeper(json, MAX_JSON_DEPTH)) {
    throw requestErrors.unreadable_body(`the JSON is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(json);
  } catch {
    throw requestErrors.unreadable_body(`it is not valid JSON${describeJsonError(json)}`);
  }
}

function describeJsonError(json: string): string {
  const error = findJsonError(json);
  if (error === undefined) return '';
  return ` at line ${error.line}, column ${error.column}: expected ${error.expected}`;
}

/** Whether a body is JSON without its type: curl sends `-d` as a form. A file may look like JSON. */
function isUndeclaredJson({ routeOptions }: FastifyRequest, body: Buffer): boolean {
  if (routeOptions?.config?.endpoint?.file !== undefined) return false;
  const text = body.toString('latin1');
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readJson(body: Buffer): RawParameter[] {
  const json = decodeUtf8(body);
  const parsed = parseJson(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw requestErrors.unreadable_body('the JSON must be an object');
  return readJsonMembers(json);
}
