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
  /** The parameter that gets the `next` of the part before. */
  position: 'after' | 'before';
}

/** A list of the operator API that is read in parts. `next` of a part requests the following one. */
export function pagedQuery<Name extends OperatorOperation>(
  queryKey: QueryKey,
  name: Name,
  { path = {}, parameters, position }: Listing<Name>,
) {
  type Next = OperatorResponseOf<Name> extends { next: infer Value } ? Value | null : never;
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        path,
        { ...parameters, [position]: pageParam ?? undefined } as NonNullable<typeof parameters>,
        { signal },
      ),
    initialPageParam: null as Next,
    getNextPageParam: (part) => (part as unknown as { next: Next }).next,
  });
}
