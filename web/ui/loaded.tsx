import type { ReactElement, ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { TableSkeleton } from './table-skeleton.tsx';

interface Props<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> };
  /** A placeholder while the data load, or the number of rows of a table’s placeholder. */
  skeleton: number | ReactElement;
  children?: (data: Data) => ReactNode;
}

/** The data of a query once they have loaded; or why they cannot be loaded, with a button to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: Props<Data>) {
  if (data !== undefined) return children?.(data);
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  return typeof skeleton === 'number' ? <TableSkeleton rows={skeleton} /> : skeleton;
}
