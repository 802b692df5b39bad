import { pageOf, pageParameters } from '../../http/pages/pages.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { categoryLevels, cursor, oneOf } from '../../http/parameters/types.ts';
import { productStatuses } from '../record/product.ts';
import { unsupportedParameter } from '../write/field-parameter.ts';
import type { PageRequest } from './list-products.ts';
import { sorts } from './listing.ts';

const DEFAULT_SORT = 'created_at_descending';
const { page, per_page, pagination } = pageParameters('products');

/** The parameters of a list of products (specification, 4.1). */
export const listParameters = {
  status: {
    type: oneOf(productStatuses),
    description: 'Returns only products with this status.',
    example: 'in_stock',
  },
  category: {
    type: categoryLevels,
    description: 'Returns only products whose category begins with these levels. Case-sensitive.',
    example: 'Home | Decoration',
  },
  page,
  per_page,
  sort: {
    type: oneOf(Object.keys(sorts)),
    description:
      'The sort order. `unique_id`, `ratings`, `target_price`, `sfb` and `sales` are the fields ' +
      '`identifier`, `ratings_average`, `cost_basis`, `scheduling_fee_bid` and `sales_count`.',
    default: DEFAULT_SORT,
    example: 'updated_at_descending',
  },
  pagination,
};

/** A page by its number or after a position, or changes since a position. */
export const productsParameters = {
  ...listParameters,
  after: {
    type: cursor,
    description:
      'The position after which the page begins, from the `Link` header of an earlier response. It belongs to ' +
      'one list: the other parameters have to be the same. `page` is only reported then.',
  },
  changed_since: {
    type: cursor,
    description: 'Lists changes: `start` for everything, or the `cursor` of an earlier response.',
    example: 'start',
  },
  health_status: unsupportedParameter,
};

type ListInput = BoundParameters<typeof listParameters>;

export function pageRequestOf(merchantId: number, input: ListInput): PageRequest {
  const { status, category, sort: sortName = DEFAULT_SORT } = input;
  const { page, perPage, summary } = pageOf(input);
  const sort = sorts[sortName];
  if (sort === undefined) throw new Error(`There is no sort ${sortName}.`);
  return { listing: { merchantId, status, category, sort }, page, perPage, summary, after: undefined };
}
