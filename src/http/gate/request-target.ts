const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** Letters, digits and `-._~`, which mean the same when they are percent-encoded (RFC 3986, 6.2.2.2). */
const ENCODED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

export function pathOf(target = ''): string {
  return target.split('?', 1)[0] ?? '';
}

/**
 * All checks use this form: without the origin of the absolute form (RFC 9112, 3.2.2), with unreserved
 * characters of the path decoded, and with an encoded `#`, which a target cannot have, and where the router
 * would end the path. The query is not changed.
 */
export function normalizeTarget(target = '/'): string {
  const relative = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const path = pathOf(relative);
  const normalized = path
    .replace(ENCODED_UNRESERVED, (encoded) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
    .replaceAll('#', '%23');
  return (normalized.startsWith('/') ? normalized : `/${normalized}`) + relative.slice(path.length);
}

/** Such paths get a 404: clients and proxies resolve the segments, so a proxy could see another path. */
export function hasDotSegment(path: string): boolean {
  return DOT_SEGMENT.test(path);
}
