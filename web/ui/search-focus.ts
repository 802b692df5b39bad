import { Store } from '../server/store.ts';

/** The element that the shortcut `/` focuses. */
export const SEARCH_ID = 'page-search';

/** Whether the next search field gets the focus. */
const isWanted = new Store(false);

/** Focuses the search field. If there is none yet, returns false, and the next one gets the focus. */
export function focusSearch(): boolean {
  const field = document.getElementById(SEARCH_ID);
  if (field instanceof HTMLInputElement) field.select();
  isWanted.set(field === null);
  return field !== null;
}

/** Focuses the search field if it was wanted before it existed. */
export function focusWantedSearch(): void {
  if (isWanted.get()) focusSearch();
}
