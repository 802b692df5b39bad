import type { BoundParameters } from '../../http/parameters/bind.ts';
import { categoryLevels, oneOf, text } from '../../http/parameters/types.ts';
import { rangeBounds } from '../../shared/range-bounds.ts';
import { conditions } from '../record/product.ts';
import { facetWord, type RangeFacet, rangeWords } from '../search-index/facets.ts';

export const MAX_CAMPAIGN_NAME = 255;
const bound = { type: oneOf(rangeBounds.map(String)) };

/**
 * Filters of a search, except the status. A product must match all of them. Prices are buy-now prices.
 * Without a price, or with untracked stock, a product matches no range.
 */
export const filterParameters = {
  category: { type: categoryLevels },
  condition: { type: oneOf(conditions) },
  campaign: { type: text(MAX_CAMPAIGN_NAME) },
  price_from: bound,
  price_below: bound,
  stock_from: bound,
  stock_below: bound,
} as const;
type FilterInput = BoundParameters<typeof filterParameters>;

/** Returns, for each filter, the indexed texts of which a product must have one. */
export function filtersOf({ category, condition, campaign, ...ranges }: Partial<FilterInput>): string[][] {
  const filters: string[][] = [];
  if (category !== undefined) filters.push([facetWord('category', category.join(' | '))]);
  if (condition !== undefined) filters.push([facetWord('condition', condition)]);
  if (campaign !== undefined) filters.push([facetWord('campaign', campaign)]);
  for (const facet of ['price', 'stock'] as const) {
    const words = rangeFilter(facet, ranges[`${facet}_from`], ranges[`${facet}_below`]);
    if (words !== undefined) filters.push(words);
  }
  return filters;
}

function rangeFilter(
  facet: RangeFacet,
  from: string | undefined,
  below: string | undefined,
): string[] | undefined {
  if (from === undefined && below === undefined) return undefined;
  return rangeWords(facet, Number(from ?? 0), below === undefined ? undefined : Number(below));
}
