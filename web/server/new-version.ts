import { isServerReachable, markUnreachable } from './reachable.ts';
import { Store } from './store.ts';

/** Whether the server no longer has a script of this page, because it serves a newer console. */
export const newVersionAvailable = new Store(false);

addEventListener('vite:preloadError', async () => {
  if (await isServerReachable()) newVersionAvailable.set(true);
  else markUnreachable();
});
