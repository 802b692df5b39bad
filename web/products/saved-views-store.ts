import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { SavedViews, SavedView as StoredView } from '../../src/console/catalog-api.ts';
import { queryClient } from '../server/query-client.ts';
import { post, request } from '../server/request.ts';
import { type Listing, listingNames } from './listing.ts';

/** A named list of products. */
export interface SavedView {
  name: string;
  listing: Listing;
}

const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => readViews(await request<SavedViews>('views', { signal })),
});

/** Returns the user's saved views. */
export function useSavedViews(): SavedView[] {
  return useQuery(viewsQuery).data ?? [];
}

/** Returns a mutation that replaces the user's saved views. */
export function useSaveViews() {
  return useMutation({
    mutationFn: (views: SavedView[]) => post<SavedViews>('views', { views }),
    onSuccess: (saved) => queryClient.setQueryData(viewsQuery.queryKey, readViews(saved)),
  });
}

/** Returns the views without parameters that lists do not have: another version may have saved them. */
function readViews({ views }: SavedViews): SavedView[] {
  return views.map(({ name, listing }: StoredView) => ({
    name,
    listing: Object.fromEntries(Object.entries(listing).filter(([key]) => isListingName(key))),
  }));
}

function isListingName(name: string): boolean {
  return listingNames.some((known) => known === name);
}

/** Whether two lists are the same, apart from the page. */
export function isSameListing(one: Listing, other: Listing): boolean {
  return listingNames.every((name) => name === 'page' || one[name] === other[name]);
}
