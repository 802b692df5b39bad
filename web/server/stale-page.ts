import { Store } from './store.ts';

/** Whether parts of this page were not to be had: after an update, the server has only the new ones. */
export const partsAreGone = new Store(false);

addEventListener('vite:preloadError', () => partsAreGone.set(true));
