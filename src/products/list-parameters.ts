import { boolean, categoryLevels, int32, oneOf } from '../http/parameter-types.ts';
import type { Bound } from '../http/parameters.ts';
import type { PageRequest } from './list-products.ts';
import { sorts } from './listing.ts';
import { productStatuses } from './product.ts';

const MAXIMUM_PAGE_SIZE = 1000;

/** What a list of products is asked for with (specification, 4.1). */
export const listParameters = {
  status: { type: oneOf(productStatuses) },
  category: { type: categoryLevels },
  page: { type: int32(1) },
  per_page: { type: int32(1, MAXIMUM_PAGE_SIZE) },
  sort: { type: oneOf(Object.keys(sorts)) },
  pagination: { type: boolean },
};
export type ListInput = Bound<typeof listParameters>;

/** The page of a merchant's products that was asked for, with the defaults for what was not said. */
export function pageRequestOf(merchantId: number, input: ListInput): PageRequest {
  const { status, category, page = 1, per_page: perPage = 50, pagination: summary = false } = input;
  const sort = sorts[input.sort ?? 'created_at_descending'];
  if (sort === undefined) throw new Error(`no sort ${input.sort}`);
  return { listing: { merchantId, status, category, sort }, page, perPage, summary };
}
