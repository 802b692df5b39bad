import { sorts } from '../../src/products/list/listing.ts';

export const PAGE_SIZE = 50;

export interface Catalog {
  token: string;
  pages: number;
  variations: readonly string[];
}

/** Counted from 0. */
export interface Share {
  index: number;
  of: number;
}

/** Paths under the base URL by kind of request. Each thread sends its own share. */
export const requestKinds = {
  'known page': function* (catalogs: readonly Catalog[], { index }: Share): Generator<string> {
    for (let turn = index; ; turn += 1) {
      const { token } = catalogs[turn % catalogs.length] ?? empty();
      yield pagePath(token, 1);
    }
  },
  'new page': newPages,
  variation: function* (catalogs: readonly Catalog[], { index, of }: Share): Generator<string> {
    const paths = catalogs.flatMap(({ token, variations }) =>
      variations.map(
        (name) =>
          `/variations/retrieve.json?${new URLSearchParams({ access_token: token, identifier: name })}`,
      ),
    );
    for (let turn = index; paths.length > 0; turn += of) yield paths[turn % paths.length] ?? empty();
  },
  'monthly sales': function* (catalogs: readonly Catalog[], { index }: Share): Generator<string> {
    for (let turn = index; ; turn += 1) {
      const { token } = catalogs[turn % catalogs.length] ?? empty();
      yield `/performance/sales.json?${new URLSearchParams({ access_token: token })}`;
    }
  },
} as const;

export type RequestKind = keyof typeof requestKinds;

export function pagePath(token: string, page: number, others: Record<string, string> = {}): string {
  const parameters = { access_token: token, page: String(page), per_page: String(PAGE_SIZE), ...others };
  return `/products.json?${new URLSearchParams(parameters)}`;
}

/** Every page of every catalog in every order once, so that each is new. No adjacent pages in succession. */
function* newPages(catalogs: readonly Catalog[], { index, of }: Share): Generator<string> {
  let turn = 0;
  const mostPages = Math.max(...catalogs.map(({ pages }) => pages));
  for (const sort of Object.keys(sorts)) {
    for (let step = 0; step < mostPages; step += 1) {
      for (const { token, pages } of catalogs) {
        if (step >= pages) continue;
        turn += 1;
        if (turn % of === index) yield pagePath(token, 1 + ((step * strideFor(pages)) % pages), { sort });
      }
    }
  }
}

/** Returns a stride that visits each of so many pages once. */
function strideFor(pages: number): number {
  let stride = 7;
  while (greatestCommonDivisor(stride, pages) !== 1) stride += 1;
  return stride;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function empty(): never {
  throw new Error('there are no catalogs');
}
