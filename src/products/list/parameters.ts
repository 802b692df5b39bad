import { pageDefaults, pageOf, pageParameters } from '../../http/pages/pages.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { categoryLevels, cursor, oneOf } from '../../http/parameters/types.ts';
import { productStatuses } from '../record/product.ts';
import { unsupported } from '../write/field-parameter.ts';
import type { PageRequest } from './list-products.ts';
import { sorts } from './listing.ts';

/** The parameters of a list of products (specification, 4.1). */
export const listParameters = {
  status: { type: oneOf(productStatuses) },
  category: { type: categoryLevels },
  page: pageParameters.page,
  per_page: pageParameters.per_page,
  sort: { type: oneOf(Object.keys(sorts)) },
  pagination: pageParameters.pagination,
};

/** A page by its number or after a position, or changes since a position. */
export const productsParameters = {
  ...listParameters,
  after: { type: cursor },
  changed_since: { type: cursor },
  health_status: { type: unsupported },
};

export const listDefaults = { ...pageDefaults, sort: 'created_at_descending' } as const;
type ListInput = BoundParameters<typeof listParameters>;

export function pageRequestOf(merchantId: number, input: ListInput): PageRequest {
  const { status, category, sort: sortName = listDefaults.sort } = input;
  const { page, perPage, summary } = pageOf(input);
  const sort = sorts[sortName];
  if (sort === undefined) throw new Error(`There is no sort ${sortName}.`);
  return { listing: { merchantId, status, category, sort }, page, perPage, summary, after: undefined };
}
