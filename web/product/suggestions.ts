import { useQuery } from '@tanstack/react-query';
import type { Metadata } from '../../clients/typescript/src/operations.ts';
import type { SuggestedList } from '../products/fields.ts';
import { metadataQuery } from '../products/queries.ts';

/** Browsers show more slowly. */
const MAX_SUGGESTIONS = 300;

/** Returns the values of a list that contain a text, and nothing until the lists have loaded. */
export function useSuggestions(list: SuggestedList | undefined, text = ''): string[] {
  const { data } = useQuery({ ...metadataQuery, enabled: list !== undefined });
  if (data === undefined || list === undefined) return [];
  const part = text.trim().toLowerCase();
  const values = valuesOf(data[list]).filter((value) => value.toLowerCase().includes(part));
  return values.slice(0, MAX_SUGGESTIONS);
}

/** Groups may have values in common. */
function valuesOf(list: Metadata[SuggestedList]): string[] {
  return Array.isArray(list) ? list : [...new Set(Object.values(list).flat())];
}
