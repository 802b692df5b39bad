import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { pagedQuery } from '../paged.ts';

export type ListedImport = OperatorResponseOf<'listImports'>['results'][number];

/** What the page’s URL has. */
export interface ImportsSearch {
  state?: string;
  source?: string;
}

/** Imports of the last day, newest first. They change while files are imported. */
export const importsQuery = (search: ImportsSearch) => ({
  ...pagedQuery(['imports', search], 'listImports', { parameters: search }),
  refetchInterval: 5_000,
});
