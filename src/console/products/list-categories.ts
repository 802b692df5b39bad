import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import type { Statement } from '../../database/statement.ts';
import type { CategoryPage } from '../catalog-api.ts';
import { type CategoryRange, type CategoryRow, listCategories, listFirstLevels } from './queries.ts';

const SEPARATOR = ' | ';
/** `A` with this suffix sorts directly after all categories that begin with `A | `. */
const AFTER_SEPARATOR = ' |!';
/** Sorts after every category. */
const END = '\u{10FFFF}';

// Limits of one call. Other requests run between two reads, and `next` continues where a call stops.
const MAX_READS = 20;
const MAX_SEARCHES = 100;
/** Few enough to search without blocking the event loop, even with long categories. */
const ROWS_PER_SEARCH = 100;

export interface CategoryRequest {
  /** Only categories that contain it, in any letter case. */
  query?: string | undefined;
  /** Only this first level's second levels. */
  parent?: string | undefined;
  /** The page starts after this category. */
  after?: string | undefined;
  limit: number;
}

type Source = Pick<Reader, 'all'>;

/** Categories with products that match a query, in a first level, or else all first levels, in byte order. */
export async function listCategoryPage(
  { database }: { database: Source },
  merchantId: number,
  { query, parent, after, limit }: CategoryRequest,
): Promise<CategoryPage> {
  const range = {
    from: after ?? (parent === undefined ? '' : `${parent}${SEPARATOR}`),
    to: parent === undefined ? END : `${parent}${AFTER_SEPARATOR}`,
  };
  if (query === undefined) {
    const list = parent === undefined ? listFirstLevels : listCategories;
    const reads = { perRead: limit + 1, maxReads: MAX_READS };
    return await walk(database, merchantId, { ...range, ...reads, list, matches: () => true, limit });
  }
  // LIKE would take time proportional to the query's length times the category's.
  const wanted = query.toLowerCase();
  const matches = (category: string): boolean => category.toLowerCase().includes(wanted);
  const reads = { perRead: Math.max(limit + 1, ROWS_PER_SEARCH), maxReads: MAX_SEARCHES };
  return await walk(database, merchantId, { ...range, ...reads, list: listCategories, matches, limit });
}

interface Walk {
  from: string;
  to: string;
  list: Statement<CategoryRange, CategoryRow>;
  matches: (category: string) => boolean;
  perRead: number;
  maxReads: number;
  limit: number;
}

async function walk(
  database: Source,
  merchantId: number,
  { from, to, list, matches, perRead, maxReads, limit }: Walk,
): Promise<CategoryPage> {
  const found: CategoryRow[] = [];
  let start = from;
  for (let read = 0; read < maxReads; read += 1) {
    const rows = await database.all(list, { merchantId, after: start, before: to, limit: perRead });
    found.push(...rows.filter(({ category, products }) => products > 0 && matches(category)));
    if (found.length > limit) return fullPage(found, limit);
    const last = rows.at(-1);
    if (last === undefined || rows.length < perRead) return { categories: found, next: null };
    start = last.category;
    await nextTurn();
  }
  return { categories: found, next: start };
}

function fullPage(found: CategoryRow[], limit: number): CategoryPage {
  const categories = found.slice(0, limit);
  return { categories, next: categories.at(-1)?.category ?? null };
}
