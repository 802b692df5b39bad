import type { Reader } from '../../database/database.ts';
import { countKey, type Listing } from './listing.ts';
import { findCount, hasExactIndex, isFilteredInIndex, type Plan } from './queries.ts';

/** Returns the cheaper plan for reading the first `products` of a listing, and its cost in index rows. */
export type Planner = (products: number) => { plan: Plan; cost: number };

/** Looking up a row costs as much as skipping this many index rows; gathering and sorting, twice that. */
const LOOK_UP_COST = 12.5;
const GATHER_COST = 2 * LOOK_UP_COST;

/** Chooses a plan from the number of products that match the filter and the number in the index of a walk. */
export async function planListing(reader: Pick<Reader, 'first'>, listing: Listing): Promise<Planner> {
  if (hasExactIndex(listing)) return (products) => ({ plan: 'walk', cost: products });
  const { category, sort } = listing;
  const walkedCategory = sort.field === 'created_at' ? category : undefined;
  const [all, matching] = await Promise.all([
    countProducts(reader, { ...listing, status: undefined, category: walkedCategory }),
    countProducts(reader, listing),
  ]);
  const walkCost = isFilteredInIndex(listing) ? 1 : LOOK_UP_COST;
  return (products) => {
    const walk = ((all * products) / Math.max(matching, 1)) * walkCost;
    const gather = matching * GATHER_COST;
    return walk > gather ? { plan: 'gather', cost: gather } : { plan: 'walk', cost: walk };
  };
}

export async function countProducts(
  reader: Pick<Reader, 'first'>,
  listing: Pick<Listing, 'merchantId' | 'status' | 'category'>,
): Promise<number> {
  const row = await reader.first(findCount, { merchantId: listing.merchantId, ...countKey(listing) });
  return row?.products ?? 0;
}
