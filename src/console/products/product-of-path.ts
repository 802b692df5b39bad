import type { FastifyReply } from 'fastify';
import { HttpError } from '../../http/responses/errors.ts';
import { recordEtag } from '../../http/responses/respond.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';

/** @throws {HttpError} 404 if the path contains no internal id */
export function internalIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw noProduct(id);
  return Number(id);
}

export function noProduct(id: string): HttpError {
  return new HttpError(404, `There is no product with the internal id ${id}.`);
}

/** Adds the record's `ETag`, which writes accept as `If-Match`. */
export function withEtag(reply: FastifyReply, record: string): RenderedJson {
  reply.header('etag', recordEtag(record));
  return new RenderedJson(Buffer.from(record));
}
