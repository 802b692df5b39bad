import { isServerReachable, markUnreachable } from './reachable.ts';
import { Store } from './store.ts';

/** Whether a script of this page is gone from the server, which then serves a newer version of the console. */
export const newVersionAvailable = new Store(false);

addEventListener('vite:preloadError', async () => {
  if (await isServerReachable()) newVersionAvailable.set(true);
  else markUnreachable();
});
