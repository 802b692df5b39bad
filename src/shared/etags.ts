import { hash } from 'node:crypto';
import type { Encoding } from './compression.ts';

export function recordEtag(json: string | Buffer): string {
  return `"${hash('sha1', json, 'base64url')}"`;
}

/** A strong ETag differs between encodings (RFC 9110, 8.8.3.3). */
export function etagIn(encoding: Encoding, etag: string): string {
  return encoding === 'identity' || etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

/** Whether `If-Match` allows a write to the record with this ETag, in whatever encoding it was read. */
export function matchesRecord(ifMatch: string, etag: string): boolean {
  const opaque = (tag: string): string => opaqueTag(tag).replace(/-(?:gzip|br|zstd)"$/, '"');
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Whether `If-None-Match` names this ETag. */
export function matchesCopy(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaqueTag(tag) === opaqueTag(etag))
  );
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
