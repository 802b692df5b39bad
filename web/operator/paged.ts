import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type {
  OperatorOperation,
  OperatorParametersOf,
  OperatorResponseOf,
} from '../../clients/typescript/src/operator-operations.ts';
import { call } from './call.ts';

interface Listing<Name extends OperatorOperation> {
  path?: Readonly<Record<string, string>>;
  parameters?: { readonly [P in keyof OperatorParametersOf<Name>]?: unknown };
}

/** Twice as many rows take a browser longer to lay out than 200 ms. */
export const ROWS_OF_PART = 25;

/** A list of the operator API that is read in parts. `next` of a part requests the following one. */
export function pagedQuery<Name extends OperatorOperation>(
  queryKey: QueryKey,
  name: Name,
  { path = {}, parameters }: Listing<Name>,
) {
  type Next = OperatorResponseOf<Name> extends { next: infer Value } ? Value | null : never;
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        path,
        { limit: ROWS_OF_PART, ...parameters, after: pageParam ?? undefined } as NonNullable<
          typeof parameters
        >,
        { signal },
      ),
    initialPageParam: null as Next,
    getNextPageParam: (part) => (part as unknown as { next: Next }).next,
  });
}
