import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { CommandPalette, usePaletteText } from '../../palette/command-palette.tsx';
import { call } from '../call.ts';
import { useCommands } from './commands.ts';

/** Of an email, the longest text that the search accepts. */
const MAX_LENGTH = 254;
const MAX_MERCHANTS = 7;

function foundQuery(query: string) {
  return queryOptions({
    queryKey: ['merchants', 'found', query],
    queryFn: ({ signal }) => call('listMerchants', {}, { query, limit: MAX_MERCHANTS }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
}

/** Finds merchants, pages, and actions of the operator's screen. */
export function Palette() {
  const { text, query } = usePaletteText();
  const { data, isFetching, isPlaceholderData } = useQuery(foundQuery(query));
  const commands = useCommands(text, (text !== '' && data?.results) || []);
  const isLoading = isFetching && (data === undefined || isPlaceholderData);
  return (
    <CommandPalette
      label="Merchant, page, or action"
      maxLength={MAX_LENGTH}
      commands={commands}
      isSearching={text !== '' && (text !== query || isLoading)}
    />
  );
}
