import { createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ConsoleSession } from '../src/console/console-api.ts';
import { Console } from './console.tsx';
import { router } from './router.tsx';
import { queryClient } from './server/query-client.ts';

/** Nobody in particular: the names are left out until it is known whose they are. */
const nobody: ConsoleSession = {
  two_factor_missing: false,
  user: { id: '', name: '\u00a0', email: '\u00a0', two_factor: false },
  merchant: { id: 0, name: '\u00a0', time_zone: 'UTC', created_at: '' },
  api_url: '',
};

/**
 * What a page looks like before its data is there, as HTML. It does nothing, so that nothing can be typed
 * into it and lost: the console takes its place as soon as its script runs.
 */
export async function drawFirst(address: string): Promise<{ title: string; markup: string }> {
  queryClient.setQueryData(['session'], nobody);
  router.update({
    history: createMemoryHistory({ initialEntries: [address] }),
    scrollRestoration: false,
  });
  await router.load();
  const markup = renderToStaticMarkup(<Console />);
  const title = /<title>.*?<\/title>/.exec(markup)?.[0];
  if (title === undefined) throw new Error(`${address} could not be drawn`);
  // Which colours were chosen is known in the browser alone.
  return { title, markup: `<div inert>${markup.replace(title, '').replaceAll(' checked=""', '')}</div>` };
}
