import { Store } from '../server/store.ts';

/** The token made last on this page, for trying the API out. In memory only: a reload forgets it. */
export const keptToken = new Store('');

export function keepToken(token: string): void {
  keptToken.set(token);
}
