import { Store } from '../server/store.ts';
import type { Listing } from './listing.ts';

/** The list that was shown last, to return to from a product. */
export const lastListing = new Store<Listing>({});
