const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** Letters, digits and `-._~`, which mean the same when they are percent-encoded (RFC 3986, 6.2.2.2). */
const ENCODED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

/** Returns the path of a request target, without its query. */
export function pathOf(target = ''): string {
  return target.split('?', 1)[0] ?? '';
}

/**
 * Returns the normalized form of a request target, which all checks use: without the origin of the absolute form (RFC
 * 9112, 3.2.2), and with the unreserved characters of its path decoded. A `#` is encoded: it is not allowed in a
 * target, and the router would end the path there. The query is not changed.
 */
export function normalizeTarget(target = '/'): string {
  const relative = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const path = pathOf(relative);
  const normalized = path
    .replace(ENCODED_UNRESERVED, (encoded) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
    .replaceAll('#', '%23');
  return (normalized.startsWith('/') ? normalized : `/${normalized}`) + relative.slice(path.length);
}

/**
 * Whether a path has a `.` or `..` segment. Clients and proxies resolve these differently, so these paths get a 404.
 * Otherwise a proxy and the service could see different paths.
 */
export function hasDotSegment(path: string): boolean {
  return DOT_SEGMENT.test(path);
}
