import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '../session/session.ts';
import { type Listing, listingNames } from './listing.ts';

/** A named list of products. */
export interface SavedView {
  name: string;
  listing: Listing;
}

export const MAX_VIEWS = 30;
export const MAX_NAME_LENGTH = 60;

/** Returns the user's saved views, which this browser keeps, and a function that replaces them. */
export function useSavedViews(): [SavedView[], (views: SavedView[]) => void] {
  const { user } = useSession();
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `tradepost-views-${user.id}`,
    defaultValue: [],
    deserialize: readViews,
  });
  return [views, setViews];
}

/** Reads stored views, without what is not a view: users and other versions can write anything there. */
export function readViews(text: string | undefined): SavedView[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored.filter(isRecord).flatMap(({ name, listing }) => {
    if (typeof name !== 'string' || name === '' || !isRecord(listing)) return [];
    const kept = listingNames.flatMap((key) =>
      typeof listing[key] === 'string' ? [[key, listing[key]]] : [],
    );
    return [{ name, listing: Object.fromEntries(kept) }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether two lists are the same, apart from the page. */
export function isSameListing({ page: _, ...one }: Listing, { page: __, ...other }: Listing): boolean {
  return listingNames.every(
    (name) => name === 'page' || one[name as keyof typeof one] === other[name as keyof typeof other],
  );
}
