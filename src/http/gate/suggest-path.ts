import { nearest } from '../../shared/nearest.ts';

/** Where an endpoint is. Parameters in the path begin with a colon. */
export interface EndpointRoute {
  url: string;
  endpoint: { method: string; reference: { summary: string } };
}

/**
 * Returns what to add to the message about an unknown path: the path of the endpoint that was probably meant, and what
 * its methods do. Only paths that begin with the same segment are suggested, such as `/v1`. Blank if no path is similar.
 */
export function suggestPath(path: string, routes: readonly EndpointRoute[]): string {
  const [, first = ''] = path.split('/');
  const candidates = routes.filter(
    ({ url }) => (url.startsWith(`/${first}/`) || withoutBase(url) === path) && !url.endsWith('.json'),
  );
  const urls = [...new Set(candidates.map(({ url }) => url))];
  const stripped = path.replace(/\/+$/, '').replace(/\.json$/, '');
  const meant =
    urls.find((url) => url === stripped || withoutBase(url) === stripped) ??
    nearestPath(stripped, urls) ??
    parentOf(stripped, urls);
  if (meant === undefined) return '';
  const methods = candidates
    .filter(({ url }) => url === meant)
    .map(({ endpoint: { method, reference } }) => `${method}: ${reference.summary}`);
  return ` Did you mean ${meant.replaceAll(/:(\w+)/g, '{$1}')} (${methods.join('; ')})?`;
}

/** Returns an endpoint's path without its first segment, which clients forget. */
function withoutBase(url: string): string {
  return url.slice(url.indexOf('/', 1));
}

/** Finds the most similar path with the same number of segments. Its parameters can have any value. */
function nearestPath(path: string, urls: readonly string[]): string | undefined {
  const segments = path.split('/');
  const filled = new Map<string, string>();
  for (const url of urls) {
    const expected = url
      .split('/')
      .map((segment, index) => (segment.startsWith(':') ? segments[index] : segment));
    const isSimilar = (segment: string, index: number): boolean =>
      segment === expected[index] || nearest(segment, [expected[index] ?? '']) !== undefined;
    if (segments.length === expected.length && segments.every(isSimilar)) filled.set(expected.join('/'), url);
  }
  return filled.get(nearest(path, filled.keys()) ?? '');
}

/** Finds the longest beginning of a path that is one itself: other APIs have the record or the action there. */
function parentOf(path: string, urls: readonly string[]): string | undefined {
  for (let parent = path; parent !== ''; parent = parent.slice(0, parent.lastIndexOf('/')))
    if (urls.includes(parent)) return parent;
  return undefined;
}
