import { serverAnswers, serverIsAway } from './reachable.ts';
import { Store } from './store.ts';

/** Whether parts of this page were not to be had: after an update, the server has only the new ones. */
export const partsAreGone = new Store(false);

addEventListener('vite:preloadError', async () => {
  if (await serverAnswers()) partsAreGone.set(true);
  else serverIsAway();
});
