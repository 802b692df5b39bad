/**
 * What the page's URL has. `range` is one of `ranges`; with `from` and `to`, these days are shown instead.
 * `compare` is `last_year` or `none`. `month` or `product`: whose auctions are listed.
 */
export const salesNames = [
  'range',
  'from',
  'to',
  'by',
  'compare',
  'sort',
  'page',
  'month',
  'product',
] as const;
export type SalesSearch = { [Name in (typeof salesNames)[number]]?: string };
