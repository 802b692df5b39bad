import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from './errors.ts';
import { type Given, readForm, readJsonObject } from './given.ts';
import { isUtf8, readMultipart } from './multipart.ts';

/** The most post data that is read, in bytes: far more than any endpoint's parameters need. */
export const BODY_LIMIT = 64 * 1024;

/**
 * Makes Fastify read post data into a list of `Given`, on GET and HEAD too (contract, “Parameters”).
 * Whatever cannot be read becomes `unreadable_body`.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  readBodies(app);
}

/** Makes Fastify read post data into a list of `Given`, whatever it did before. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (request: FastifyRequest, body: Buffer) => readBody(request, body),
  );
}

async function readBody(request: FastifyRequest, body: Buffer): Promise<Given[]> {
  if (body.length === 0) return [];
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

function readJson(body: Buffer): Given[] {
  const json = decodeUtf8(body);
  let given: Given[] | undefined;
  try {
    given = readJsonObject(json);
  } catch {
    throw errors.unreadable_body('it is not valid JSON');
  }
  if (given === undefined) throw errors.unreadable_body('the JSON has to be an object');
  return given;
}
