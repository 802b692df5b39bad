import { errors } from '../../errors/errors.ts';
import { pageOf, pageParameters } from '../../http/pages/pages.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { type ParameterType, text } from '../../http/parameters/types.ts';
import { listParameters } from '../list/parameters.ts';
import { wordsOf } from '../search-index/words.ts';
import { filtersOf, MAX_CAMPAIGN_NAME } from './filter-parameters.ts';
import type { SearchRequest } from './search-products.ts';

/** In characters: room for an identifier of the maximum length, and for most titles. */
const MAX_QUERY_LENGTH = 500;
const MAX_QUERY_WORDS = 20;

const queryText = text(MAX_QUERY_LENGTH);

export const searchText: ParameterType<string> = {
  expected: `text of 1 to ${MAX_QUERY_LENGTH} characters with at most ${MAX_QUERY_WORDS} words`,
  schema: { ...queryText.schema, pattern: `^\\s*\\S+(\\s+\\S+){0,${MAX_QUERY_WORDS - 1}}\\s*$` },
  read: (parameter) => {
    const value = queryText.read(parameter);
    if (typeof value !== 'string') return value;
    return value.trim().split(/\s+/).length > MAX_QUERY_WORDS ? undefined : value;
  },
};

export const searchParameters = {
  query: {
    type: searchText,
    description: 'The beginnings of words, separated by spaces. Required without `campaign_name`.',
    example: 'clay pot',
  },
  campaign_name: {
    type: text(MAX_CAMPAIGN_NAME),
    description: 'Returns only products that name this campaign in `campaign_name`.',
  },
  status: {
    ...listParameters.status,
    description: 'Returns only products with this status; by default, all except deleted ones.',
  },
  ...pageParameters('products'),
} as const;
type SearchInput = BoundParameters<typeof searchParameters>;

/** @throws {DomainError} `invalid_parameters` if there is nothing to search for */
export function searchRequestOf(merchantId: number, input: SearchInput): SearchRequest {
  const { query, campaign_name: campaign, status } = input;
  if (query === undefined && campaign === undefined) {
    const reason = `missing, expected ${searchText.expected}, or campaign_name`;
    throw errors.invalid_parameters([{ field: 'query', reason }]);
  }
  const words = query === undefined ? undefined : wordsOf(query);
  return { search: { merchantId, words, status, filters: filtersOf({ campaign }) }, ...pageOf(input) };
}
