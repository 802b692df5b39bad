import type { Reader } from '../../database/database.ts';
import { countKey, type Listing } from './listing.ts';
import { findCount, hasExactIndex, isFilteredInIndex, type Plan } from './queries.ts';

/** How to go through so many products of a listing, and what that costs, in rows of an index that are passed. */
export type Planner = (reach: number) => { plan: Plan; cost: number };

/** Looking up a row costs about as much as passing this many rows of an index; gathering and sorting it, twice that. */
const LOOK_UP_COST = 12.5;
const GATHER_COST = 2 * LOOK_UP_COST;

/** Finds the cheaper way through a listing, by the counts of what its filter and its index match. */
export async function planListing(reader: Pick<Reader, 'first'>, listing: Listing): Promise<Planner> {
  if (hasExactIndex(listing)) return (reach) => ({ plan: 'walk', cost: reach });
  const { category, sort } = listing;
  const walked = sort.field === 'created_at' ? { status: undefined, category } : {};
  const [all, matching] = await Promise.all([
    countProducts(reader, { ...listing, status: undefined, category: undefined, ...walked }),
    countProducts(reader, listing),
  ]);
  const walkCost = isFilteredInIndex(listing) ? 1 : LOOK_UP_COST;
  return (reach) => {
    const walk = ((all * reach) / Math.max(matching, 1)) * walkCost;
    const gather = matching * GATHER_COST;
    return walk > gather ? { plan: 'gather', cost: gather } : { plan: 'walk', cost: walk };
  };
}

/** How many products a listing's filter matches, as the counters have it. */
export async function countProducts(
  reader: Pick<Reader, 'first'>,
  listing: Pick<Listing, 'merchantId' | 'status' | 'category'>,
): Promise<number> {
  const row = await reader.first(findCount, [listing.merchantId, ...countKey(listing)]);
  return row?.products ?? 0;
}
