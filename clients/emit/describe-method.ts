import type { Operation, Reading } from './model.ts';

const DESCRIPTIONS: Record<Exclude<Reading['kind'], 'result'>, string> = {
  page: 'Returns one page, with its position among all matches.',
  changes: 'Returns one page of changes after a cursor.',
  'every item': 'Iterates over the items of all pages, each at most once. Pages are requested as needed.',
  'every result': 'Iterates over the items of all pages. Pages are requested as needed.',
  'every page':
    'Iterates over the pages up to the present. When you have stored the results of a page, store its position, and start there the next time.',
};

/** Returns the documentation of a method that reads the result of an operation. `inLanguage` is its name. */
export function describeMethod(operation: Operation, { kind }: Reading, inLanguage: string): string {
  const { summary, description } = operation;
  if (kind === 'result') return `${summary}.\n\n${description}`;
  return `${summary}.\n\n${DESCRIPTIONS[kind]} See \`${inLanguage}\`.`;
}

/** A parameter of a method that is a header of the request, by its name in the model. */
export const OPTIONS = [
  {
    option: 'hasIdempotencyKey',
    name: 'idempotency_key',
    description:
      'Calls with the same key and parameters write once within 24 hours. By default, each call has a new key, which its retries reuse.',
  },
  {
    option: 'hasIfMatch',
    name: 'if_match',
    description:
      'The `etag` of the record that the write is based on. If the record has changed since, the call fails with 412.',
  },
  {
    option: 'hasSimulate',
    name: 'simulate',
    description: 'With a test key: what each try simulates, such as `status=503`, `delay=5` or `drop`.',
  },
] as const;

/** Parameters that limit how many records a page has. */
export const SIZES = ['per_page', 'limit'];
