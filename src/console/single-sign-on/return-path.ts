import type { Realm } from '../auth/realm.ts';
import type { SignInProblem } from '../console-api.ts';

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

/** The path of the realm's first page. */
export function pagesOf({ apiPath }: Pick<Realm, 'apiPath'>): `/${string}` {
  return `/${apiPath.slice(1).replace(/\/api$/, '')}`;
}

/** The sign-in page, which says why nobody was signed in. `next` is a path that `returnPath` returned. */
export function problemPage(realm: Pick<Realm, 'apiPath'>, problem: SignInProblem, next?: string): string {
  const pages = pagesOf(realm);
  const search = new URLSearchParams({ problem });
  const page = next?.slice(pages.length) ?? '';
  if (page !== '') search.set('next', page);
  return `${pages}/sign-in?${search}`;
}
