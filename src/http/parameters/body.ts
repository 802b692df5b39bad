import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from '../request-limits.ts';
import { errors } from '../responses/errors.ts';
import { isUtf8, readMultipart } from './multipart.ts';
import { isNestedDeeper, type RawParameter, readForm, readJsonObject } from './raw-parameters.ts';

/** Makes Fastify accept post data on GET and HEAD too, and keep it for `readBody` (contract, “Parameters”). */
export function acceptBodiesOnAllMethods(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  keepBodiesAsBuffers(app);
}

/** Replaces Fastify's body parsers with one that accepts any type and keeps the body as a buffer, for `readBody`. */
export function keepBodiesAsBuffers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
}

/**
 * Reads the parameters in a request's post data, in order. Parsing may take milliseconds, so call this only when it is
 * the request's turn (`OverloadControl`).
 * @throws {HttpError} `unreadable_body`, `too_many_parameters`
 */
export async function readBody(request: FastifyRequest): Promise<RawParameter[]> {
  // A body that the handler reads as a stream is not a buffer.
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return [];
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw errors.unreadable_body(
      'it has a Content-Encoding, which is not accepted; send the data uncompressed',
    );
  const contentType = request.headers['content-type'] ?? '';
  if (!isUtf8(contentType)) throw errors.unreadable_body('its charset must be UTF-8');
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return readForm(body.toString('latin1'));
    case 'application/json':
      return readJson(body);
    case 'multipart/form-data':
      // Only checks the encoding.
      decodeUtf8(body);
      return await readMultipart(body, contentType);
    default:
      throw errors.unreadable_body(
        'its Content-Type must be application/x-www-form-urlencoded, application/json or multipart/form-data',
      );
  }
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw errors.unreadable_body('it is not UTF-8');
  }
}

function readJson(body: Buffer): RawParameter[] {
  const json = decodeUtf8(body);
  if (isNestedDeeper(json, MAX_JSON_DEPTH)) {
    throw errors.unreadable_body(`the JSON is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  let parameters: RawParameter[] | undefined;
  try {
    parameters = readJsonObject(json);
  } catch {
    throw errors.unreadable_body('it is not valid JSON');
  }
  if (parameters === undefined) throw errors.unreadable_body('the JSON must be an object');
  return parameters;
}
