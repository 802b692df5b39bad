import type { DomainError } from '../../errors/domain-error.ts';
import { recordEtag } from '../../shared/etags.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { consoleErrors } from '../errors.ts';

/** @throws {DomainError} 404 if the path contains no internal id */
export function internalIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw noProduct(id);
  return Number(id);
}

/** Returns the error for a path that names no product of the merchant. */
export function noProduct(id: string): DomainError {
  return consoleErrors.missing(`There is no product with the internal id ${id}.`);
}

/** With the record's `ETag`, which writes accept as `If-Match`. */
export function withEtag(record: string): RenderedJson {
  return new RenderedJson(Buffer.from(record), recordEtag(record));
}
