import { hash } from 'node:crypto';
import { rangeBounds } from '../../shared/range-bounds.ts';
import type { SetChanges } from './set-changes.ts';

export interface FacetFields {
  status: string;
  category: string | null;
  condition: string | null;
  campaign_name: string | null;
  buy_now_price: number | null;
  available_quantity: number | null;
  variations: readonly unknown[];
}

type ExactFacet = 'category' | 'condition' | 'campaign';
/** A change within a range, such as most changes of the stock, costs nothing. */
export type RangeFacet = 'price' | 'stock';

/** Longer values are indexed by their hash: a database limits the length of a key. */
const MAX_VALUE_LENGTH = 100;

/** No word begins with a space. */
export function statusWord(status: string): string {
  return ` ${status}`;
}

/** Category levels are separated by ` | `. */
export function facetWord(facet: ExactFacet, value: string): string {
  const key = value.length > MAX_VALUE_LENGTH ? `#${hash('sha256', value, 'base64url')}` : `=${value}`;
  return ` ${facet}${key}`;
}

/** From one bound up to but not including another; without `below`, to the end. */
export function rangeWords(facet: RangeFacet, from: number, below: number | undefined): string[] {
  const end = below === undefined ? rangeBounds.length + 1 : rangeOf(below);
  const words: string[] = [];
  for (let range = rangeOf(from); range < end; range += 1) words.push(rangeWord(facet, range));
  return words;
}

export function changeFacets(
  changes: SetChanges,
  internalId: number,
  before: FacetFields | undefined,
  after: FacetFields,
): void {
  if (before !== undefined && !hasNewFacets(before, after)) return;
  const former = new Set(before === undefined ? [] : facetsOf(before));
  const words = new Set(facetsOf(after));
  for (const word of former.difference(words)) changes.of(word).remove(internalId);
  for (const word of words.difference(former)) changes.of(word).add(internalId);
}

export function hasNewFacets(before: FacetFields, after: FacetFields): boolean {
  return (
    before.status !== after.status ||
    before.category !== after.category ||
    before.condition !== after.condition ||
    before.campaign_name !== after.campaign_name ||
    before.variations.length !== after.variations.length ||
    rangeOf(before.buy_now_price) !== rangeOf(after.buy_now_price) ||
    rangeOf(before.available_quantity) !== rangeOf(after.available_quantity)
  );
}

function facetsOf(product: FacetFields): string[] {
  const { status, category, condition, campaign_name: campaign, buy_now_price: price } = product;
  const words = [statusWord(status)];
  const [first = '', second = ''] = category?.split(' | ', 2) ?? [];
  if (first !== '') words.push(facetWord('category', first));
  if (second !== '') words.push(facetWord('category', `${first} | ${second}`));
  if (condition !== null) words.push(facetWord('condition', condition));
  if (campaign !== null) words.push(facetWord('campaign', campaign));
  if (price !== null) words.push(rangeWord('price', rangeOf(price)));
  // The stock of an enabled product without variations is not tracked; its record shows 0.
  const isTracked = status !== 'enabled' || product.variations.length > 0;
  if (isTracked && product.available_quantity !== null)
    words.push(rangeWord('stock', rangeOf(product.available_quantity)));
  return words;
}

function rangeWord(facet: RangeFacet, range: number): string {
  return ` ${facet}=${range}`;
}

/** Returns the number of bounds up to a value; -1 for no value. */
function rangeOf(value: number | null): number {
  if (value === null) return -1;
  const index = rangeBounds.findIndex((bound) => bound > value);
  return index < 0 ? rangeBounds.length : index;
}
