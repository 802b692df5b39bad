const ANYWHERE = 'https://tradepost.invalid';
const MAX_LENGTH = 2_000;

/**
 * Returns the path of a page below `base`, which `next` names relative to it. For anything else, such as an
 * address of another site, returns `base` itself.
 */
export function returnPath(base: `/${string}`, next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || next.length > MAX_LENGTH) return base;
  const url = URL.parse(`${base}${next}`, ANYWHERE);
  const isBelow = url?.origin === ANYWHERE && url.pathname.startsWith(`${base}/`);
  return isBelow && !url.pathname.startsWith(`${base}/api/`)
    ? `${url.pathname}${url.search}${url.hash}`
    : base;
}
