import type { ParameterReference } from '../endpoint/reference.ts';
import { record, type Schema } from '../schema.ts';
import { pageDefaults, type pageParameters } from './pages.ts';

const place: Schema = { type: 'integer', minimum: 0 };

/** The pagination summary (specification, part 2). */
export interface PaginationSummary<Item> {
  results: Item[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

export function summarySchema(
  title: string,
  { items, one, results }: { items: string; one: string; results: Schema },
): Schema {
  return record<PaginationSummary<unknown>>(
    title,
    `A page of ${items} and its position among all matching ${items}.`,
    {
      results: { ...results, description: `The ${items} of the page.` },
      from: {
        ...place,
        description: `The position of the page’s first ${one}, starting at 1; 0 past the end.`,
      },
      to: { ...place, description: `The position of the page’s last ${one}; 0 past the end.` },
      page: { type: 'integer', minimum: 1, description: 'The page returned.' },
      per_page: { type: 'integer', minimum: 1, description: 'The page size used.' },
      total_entries: { ...place, description: `The total number of matching ${items}.` },
    },
  );
}

export function pageReferences(items: string): {
  readonly [Name in keyof typeof pageParameters]: ParameterReference;
} {
  return {
    page: { description: 'The page to return.', default: pageDefaults.page, example: 2 },
    per_page: {
      description: `The number of ${items} per page.`,
      default: pageDefaults.per_page,
      example: 50,
    },
    pagination: {
      description: `Whether to return the pagination summary, with the ${items} under \`results\`.`,
      default: pageDefaults.pagination,
      example: true,
    },
  };
}
