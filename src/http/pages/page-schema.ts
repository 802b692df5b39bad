import { record, type Schema } from '../schema.ts';

const place: Schema = { type: 'integer', minimum: 0 };

/** The pagination summary (specification, part 2). */
interface PaginationSummary<Item> {
  results: Item[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

/** Returns the schemas of a page: an array, and the pagination summary, which gets the title. */
export function pageSchemas(
  title: string,
  { items, one, schema }: { items: string; one: string; schema: Schema },
): [page: Schema, summary: Schema] {
  const page: Schema = { type: 'array', items: schema };
  const summary = record<PaginationSummary<unknown>>(
    title,
    `A page of ${items} and its position among all matching ${items}.`,
    {
      results: { ...page, description: `The ${items} of the page.` },
      from: {
        ...place,
        description: `The position of the page’s first ${one}, starting at 1; 0 past the end.`,
      },
      to: { ...place, description: `The position of the page’s last ${one}; 0 past the end.` },
      page: { type: 'integer', minimum: 1, description: 'The number of the page returned, from 1.' },
      per_page: { type: 'integer', minimum: 1, description: `The maximum number of ${items} per page.` },
      total_entries: { ...place, description: `The total number of matching ${items}.` },
    },
  );
  return [page, summary];
}

/** A part of a list in the order of the last change (contract for writing, “Staying in sync”). */
interface Changes {
  results: unknown[];
  cursor: string;
  more: boolean;
}

/** Returns the schema of changes; `items` begins with a capital letter, such as `Products`. */
export function schemaOfChanges(title: string, { items, schema }: { items: string; schema: Schema }): Schema {
  return record<Changes>(title, `${items} in the order of their last change.`, {
    results: {
      type: 'array',
      items: schema,
      description: `The ${items.toLowerCase()}, each as it is now.`,
    },
    cursor: { type: 'string', description: 'The position for the next request.' },
    more: { type: 'boolean', description: 'Whether there are further changes already.' },
  });
}

/** Returns a second page with one item. */
export function exampleSummary<Item>(item: Item): PaginationSummary<Item> {
  return { results: [item], from: 51, to: 51, page: 2, per_page: 50, total_entries: 51 };
}
