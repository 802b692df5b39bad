import type { FramedPage } from '../../sync/framed-page.ts';
import type { BoundParameters } from '../parameters/bind.ts';
import { boolean, int32 } from '../parameters/types.ts';

const MAX_PAGE_SIZE = 1000;

export const pageDefaults = { page: 1, per_page: 50, pagination: false } as const;

/** The parameters of every list with pages (specification, part 2). `items` are what it lists. */
export function pageParameters(items: string) {
  return {
    page: { type: int32(1), description: 'The page to return.', default: pageDefaults.page, example: 2 },
    per_page: {
      type: int32(1, MAX_PAGE_SIZE),
      description: `The number of ${items} per page.`,
      default: pageDefaults.per_page,
      example: 50,
    },
    pagination: {
      type: boolean,
      description: `Whether to return the pagination summary, with the ${items} under \`results\`.`,
      default: pageDefaults.pagination,
      example: true,
    },
  };
}

export type PageInput = Partial<BoundParameters<ReturnType<typeof pageParameters>>>;

/** Returns the requested page, with defaults for missing parameters. */
export function pageOf({
  page = pageDefaults.page,
  per_page: perPage = pageDefaults.per_page,
  pagination: summary = pageDefaults.pagination,
}: PageInput): FramedPage {
  return { page, perPage, summary };
}

/** The extent of a list. */
interface Extent {
  total: number;
  /** Where the next page begins; null if there is none, undefined for a page by its number. */
  after?: string | null;
}

/**
 * Returns a Link header (RFC 8288) to the previous and the next page; with a summary, also to the first and
 * the last one. The next page begins after the position `after`; the others are pages by number. The links
 * repeat `input`, are relative and have no token. Null if there are no links.
 */
export function pageLinks(path: string, input: PageInput, { total, after }: Extent): string | null {
  const { page, perPage, summary } = pageOf(input);
  const last = Math.max(1, Math.ceil(total / perPage));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    query.set(name, Array.isArray(value) ? value.join(' | ') : String(value));
  }
  const links: string[] = [];
  const link = (relation: string, target: number, position = ''): void => {
    query.set('page', String(target));
    links.push(`<${path}?${query}${position}>; rel="${relation}"`);
  };
  if (summary) link('first', 1);
  if (page > 1) link('prev', Math.min(page - 1, last));
  if (after === undefined && page < last) link('next', page + 1);
  if (typeof after === 'string') link('next', page + 1, `&after=${after}`);
  if (summary) link('last', last);
  return links.length === 0 ? null : links.join(', ');
}
