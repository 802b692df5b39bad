import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Found } from '../../src/console/catalog-api.ts';
import { MAX_QUERY_LENGTH } from '../products/listing.ts';
import { post, request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';
import { useAllows } from '../session/role.ts';
import { CommandPalette, usePaletteText } from './command-palette.tsx';
import { useCommands } from './commands.ts';

const NOTHING: Found = { products: [], orders: [] };

/** What an editor types may be a customer's name, which must not be in a URL. */
function foundQuery(text: string, isEditor: boolean) {
  return queryOptions({
    queryKey: ['found', text],
    queryFn: ({ signal }) =>
      isEditor
        ? post<Found>('find', { text }, { signal })
        : request<Found>(`find${stringifySearch({ text })}`, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** Finds orders, products, campaigns, keys, settings, pages, and actions of the console. */
export function Palette() {
  const { text, query } = usePaletteText();
  const { data, isFetching, isPlaceholderData } = useQuery(foundQuery(query, useAllows('editor')));
  const commands = useCommands(text, (text !== '' && data) || NOTHING);
  const isLoading = isFetching && (data === undefined || isPlaceholderData);
  return (
    <CommandPalette
      label="Order, product, page, or action"
      maxLength={MAX_QUERY_LENGTH}
      commands={commands}
      isSearching={text !== '' && (text !== query || isLoading)}
    />
  );
}
