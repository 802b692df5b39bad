import { nearest } from '../../shared/nearest.ts';

export interface EndpointRoute {
  url: string;
  endpoint: { method: string; summary: string };
}

/**
 * Returns the path that was probably meant by an unknown one, and what its methods do; blank if none is
 * similar. Only paths with the same first segment, such as `/v1`, are suggested.
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
    .map(({ endpoint: { method, summary } }) => `${method}: ${summary}`);
  return ` Did you mean ${meant.replaceAll(/:(\w+)/g, '{$1}')} (${methods.join('; ')})?`;
}

/** Clients forget the first segment. */
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

/** Finds the longest beginning of a path that exists: other APIs have the record or the action there. */
function parentOf(path: string, urls: readonly string[]): string | undefined {
  for (let parent = path; parent !== ''; parent = parent.slice(0, parent.lastIndexOf('/')))
    if (urls.includes(parent)) return parent;
  return undefined;
}
