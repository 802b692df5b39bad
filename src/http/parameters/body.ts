import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../responses/errors.ts';
import { isUtf8, readMultipart } from './multipart.ts';
import { isNestedDeeper, type RawParameter, readForm, readJsonObject } from './raw-parameters.ts';

/** The most post data that is read, in bytes: far more than any endpoint's parameters need. */
export const BODY_LIMIT = 64 * 1024;

/** To parse tens of thousands of levels takes longer than other requests should wait. */
export const DEEPEST_JSON = 100;

/** Makes Fastify take post data of any type for `readBody`, on GET and HEAD too (contract, “Parameters”). */
export function acceptBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  takeBodies(app);
}

/** Makes Fastify take post data for `readBody`, whatever it did before. */
export function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
}

/**
 * The parameters in a request's post data, in order. To parse them may take milliseconds: to be called in the request's
 * turn.
 * @throws {HttpError} `unreadable_body`, `too_many_parameters`
 */
export async function readBody(request: FastifyRequest): Promise<RawParameter[]> {
  // A body that is to be read as it comes is no buffer.
  const body = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return [];
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw errors.unreadable_body('a Content-Encoding is not accepted, send it plain');
  const contentType = request.headers['content-type'] ?? '';
  if (!isUtf8(contentType)) throw errors.unreadable_body('its charset has to be UTF-8');
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return readForm(body.toString('latin1'));
    case 'application/json':
      return readJson(body);
    case 'multipart/form-data':
      decodeUtf8(body);
      return await readMultipart(body, contentType);
    default:
      throw errors.unreadable_body(
        'its Content-Type has to be application/x-www-form-urlencoded, application/json or multipart/form-data',
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
  if (isNestedDeeper(json, DEEPEST_JSON)) {
    throw errors.unreadable_body(`the JSON is nested more than ${DEEPEST_JSON} levels deep`);
  }
  let given: RawParameter[] | undefined;
  try {
    given = readJsonObject(json);
  } catch {
    throw errors.unreadable_body('it is not valid JSON');
  }
  if (given === undefined) throw errors.unreadable_body('the JSON has to be an object');
  return given;
}
