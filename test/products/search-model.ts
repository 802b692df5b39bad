import type { Product } from '../../src/products/record/product.ts';

export interface SearchQuery {
  query: string;
  status: string | undefined;
  page: number;
  perPage: number;
  summary: boolean;
}

/** Letters whose folded form is not their lower case. */
const FOLDED: Record<string, string> = { ß: 'ss', ẞ: 'ss', ς: 'σ', ı: 'i' };

interface Entry {
  product: Product;
  title: string[];
  identifiers: string[];
}

export function searchableCatalog(catalog: readonly Product[]): Entry[] {
  const entries = catalog.map((product) => ({
    product,
    title: partsOf(product.title ?? ''),
    identifiers: [product, ...product.variations].flatMap(({ identifier }) => partsOf(identifier)),
  }));
  const created = ({ product }: Entry): number => Date.parse(product.created_at ?? '');
  return entries.sort(
    (one, other) => created(other) - created(one) || other.product.internal_id - one.product.internal_id,
  );
}

/** Examines every product of the catalog. */
export function expectedSearch(catalog: readonly Entry[], search: SearchQuery): string {
  const { query, status, page, perPage, summary } = search;
  const words = partsOf(query);
  const found = catalog
    .filter(({ product }) =>
      status === undefined ? product.status !== 'deleted' : product.status === status,
    )
    .filter((entry) => words.every((word) => hasWord(entry, word)))
    .map(({ product }) => product);
  const start = (page - 1) * perPage;
  const results = found.slice(start, start + perPage);
  if (!summary) return JSON.stringify(results);
  const [from, to] = results.length === 0 ? [0, 0] : [start + 1, start + results.length];
  return JSON.stringify({ results, from, to, page, per_page: perPage, total_entries: found.length });
}

function hasWord({ title, identifiers }: Entry, word: string): boolean {
  return identifiers.some((part) => part.startsWith(word)) || title.some((part) => startsWordOf(part, word));
}

function startsWordOf(part: string, word: string): boolean {
  for (let index = part.indexOf(word); index >= 0; index = part.indexOf(word, index + 1)) {
    const before = part.slice(0, index);
    if (before === '' || /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(word)) return true;
    if (/[^\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(word)) return true;
  }
  return false;
}

function partsOf(text: string): string[] {
  const letters = [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')];
  const folded = letters.map((letter) => FOLDED[letter] ?? letter.toLowerCase()).join('');
  return folded.split(/\s/u).filter((part) => part !== '');
}
