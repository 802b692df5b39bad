import type { FastifyRequest } from 'fastify';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { MAX_JSON_DEPTH } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { decodeUtf8, parseJson, typeOfBody } from './body.ts';
import { isNestedDeeper, type RawParameter, readJsonArray, readJsonObject } from './raw-parameters.ts';

/** A line of NDJSON, or an element of a JSON array. */
export interface BodyLine {
  /** From 1. Blank lines count, but are left out. */
  number: number;
  /** JSON text, which may be malformed. */
  text: string;
}

/**
 * Reads the lines of post data: NDJSON, or the elements of a JSON array. Without post data, there are none.
 * @throws {DomainError} `unreadable_body`, also if there are more than `maximum` lines
 */
export function readLines(request: FastifyRequest, maximum: number): BodyLine[] {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return [];
  const lines = linesOf(typeOfBody(request), body);
  if (lines.length > maximum)
    throw requestErrors.unreadable_body(`it has more than ${maximum.toLocaleString('en')} lines`);
  return lines;
}

function linesOf(type: string, body: Buffer): BodyLine[] {
  switch (type) {
    case 'application/x-ndjson':
      return decodeUtf8(body)
        .split('\n')
        .map((text, index) => ({ number: index + 1, text }))
        .filter(({ text }) => text.trim() !== '');
    case 'application/json': {
      const json = decodeUtf8(body);
      if (!Array.isArray(parseJson(json))) throw requestErrors.unreadable_body('the JSON must be a list');
      // Any other value than an object is refused, whatever it is.
      return readJsonArray(json.trim()).map(({ kind, text }, index) => ({
        number: index + 1,
        text: kind === 'nested' ? text : 'null',
      }));
    }
    default:
      throw requestErrors.unreadable_body(
        'its Content-Type must be application/x-ndjson or application/json',
      );
  }
}

export function readLine({ text }: BodyLine): RawParameter[] | InvalidValue {
  if (isNestedDeeper(text, MAX_JSON_DEPTH))
    return new InvalidValue(`expected at most ${MAX_JSON_DEPTH} levels of JSON`);
  try {
    return readJsonObject(text) ?? new InvalidValue('expected a JSON object');
  } catch {
    return new InvalidValue('expected a JSON object, found text that is not valid JSON');
  }
}
