import { errors } from '../../errors/errors.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { boolean, oneOf, type ParameterType } from '../../http/parameters/types.ts';
import type { Selection } from '../../products/bulk/select-products.ts';
import { listParameters } from '../../products/list/parameters.ts';
import { filterParameters, filtersOf } from '../../products/search/filter-parameters.ts';
import type { Search } from '../../products/search/find-matches.ts';
import { searchText } from '../../products/search/parameters.ts';
import { wordsOf } from '../../products/search-index/words.ts';

const MAX_IDS = 1_000;

export const matchParameters = {
  status: listParameters.status,
  ...filterParameters,
  /** Only the console has this filter. */
  images: { type: oneOf(['failing']) },
  query: { type: searchText },
} as const;

const idList: ParameterType<number[]> = {
  expected: `1 to ${MAX_IDS} internal IDs, separated by commas`,
  schema: { type: 'string', pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9})*$' },
  read: ({ text }) => {
    const ids = text.split(',');
    return ids.length <= MAX_IDS && ids.every((id) => /^[1-9]\d{0,9}$/.test(id))
      ? ids.map(Number)
      : undefined;
  },
};

/** Products by internal ids, or with `all` the products that match the other parameters. */
export const selectionParameters = {
  ids: { type: idList },
  all: { type: boolean },
  ...matchParameters,
} as const;

export function matching(input: BoundParameters<typeof matchParameters>): Selection {
  return { search: { status: input.status, ...matchOf(input) } };
}

type Match = Required<Pick<Search, 'words' | 'filters' | 'failingImages'>>;

export function matchOf({
  query,
  images,
  ...filters
}: Omit<BoundParameters<typeof matchParameters>, 'status'>): Match {
  return {
    words: query === undefined ? undefined : wordsOf(query),
    filters: filtersOf(filters),
    failingImages: images === 'failing',
  };
}

/** @throws {DomainError} `invalid_parameters` unless there is one of `ids` and `all` */
export function selectionOf({
  ids,
  all = false,
  ...match
}: BoundParameters<typeof selectionParameters>): Selection {
  if ((ids !== undefined) === all)
    throw errors.invalid_parameters([{ field: 'ids', reason: 'send either the IDs, or all=true' }]);
  return ids === undefined ? matching(match) : { ids };
}
