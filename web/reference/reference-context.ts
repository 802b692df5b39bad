import { createContext, useContext } from 'react';
import type { Group } from './groups.ts';
import type { OpenApi } from './open-api.ts';

/** What all parts of the reference show parts of. */
export interface ReferenceData {
  document: OpenApi;
  groups: readonly Group[];
  /** The slugs of the groups that describe records, by the records' names. */
  groupOfRecord: ReadonlyMap<string, string>;
}

export const ReferenceContext = createContext<ReferenceData | null>(null);

export function useReference(): ReferenceData {
  const data = useContext(ReferenceContext);
  if (data === null) throw new Error('There is no reference around this component.');
  return data;
}
