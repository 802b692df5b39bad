import type { BoundParameters } from '../../http/parameters/bind.ts';
import { boolean, categoryLevels, int32, oneOf } from '../../http/parameters/types.ts';
import { productStatuses } from '../record/product.ts';
import type { PageRequest } from './list-products.ts';
import { sorts } from './listing.ts';

const MAX_PAGE_SIZE = 1000;

/** The parameters of a list of products (specification, 4.1). */
export const listParameters = {
  status: { type: oneOf(productStatuses) },
  category: { type: categoryLevels },
  page: { type: int32(1) },
  per_page: { type: int32(1, MAX_PAGE_SIZE) },
  sort: { type: oneOf(Object.keys(sorts)) },
  pagination: { type: boolean },
};
/** The values of missing parameters. */
export const listDefaults = {
  page: 1,
  per_page: 50,
  sort: 'created_at_descending',
  pagination: false,
} as const;
export type ListInput = BoundParameters<typeof listParameters>;

/** Returns the requested page of a merchant's products, with defaults for missing parameters. */
export function pageRequestOf(merchantId: number, input: ListInput): PageRequest {
  const { status, category, sort: sortName = listDefaults.sort } = input;
  const { page, perPage, summary } = pageOf(input);
  const sort = sorts[sortName];
  if (sort === undefined) throw new Error(`There is no sort ${sortName}.`);
  return { listing: { merchantId, status, category, sort }, page, perPage, summary };
}

/** Returns the requested page's number and size, with defaults for missing parameters. */
export function pageOf({
  page = listDefaults.page,
  per_page: perPage = listDefaults.per_page,
  pagination: summary = listDefaults.pagination,
}: ListInput): Pick<PageRequest, 'page' | 'perPage' | 'summary'> {
  return { page, perPage, summary };
}
