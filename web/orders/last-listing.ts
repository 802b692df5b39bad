import { Store } from '../server/store.ts';
import type { OrderListing } from './listing.ts';

/** The list that was shown last, to return to from an order. */
export const lastListing = new Store<OrderListing>({});
