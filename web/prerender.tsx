import { createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ConsoleSession } from '../src/console/console-api.ts';
import { Application } from './application.tsx';
import { allPages } from './palette/pages.ts';
import { router } from './router.tsx';
import { queryClient } from './server/query-client.ts';

/** A session with blank names, because the build does not know the user. */
const placeholderSession: ConsoleSession = {
  two_factor_missing: false,
  two_factor_required_by: null,
  suspended: false,
  suspension_reason: null,
  by_provider: false,
  support_view: null,
  support_until: null,
  user: { id: '', name: '\u00a0', email: '\u00a0', two_factor: false, role: 'owner' },
  merchant: { id: 0, name: '\u00a0', time_zone: 'UTC', currency: 'USD', created_at: '' },
  api_url: '',
  certificate: null,
};

/** The paths of the pages that are shown before the script runs. */
export const prerendered = ['/sign-in', '/products/import', ...allPages];

/**
 * Renders a page without its data as HTML. The markup is inert, so that users cannot type into a page that
 * the script is about to replace.
 */
export async function prerender(path: string): Promise<{ title: string; markup: string }> {
  queryClient.setQueryData(['session'], placeholderSession);
  router.update({
    history: createMemoryHistory({ initialEntries: [path] }),
    scrollRestoration: false,
  });
  await router.load();
  const markup = renderToStaticMarkup(<Application router={router} />);
  const title = /<title>.*?<\/title>/.exec(markup)?.[0];
  if (title === undefined) throw new Error(`${path} could not be rendered`);
  // Only the browser knows the chosen theme.
  return { title, markup: `<div inert>${markup.replace(title, '').replaceAll(' checked=""', '')}</div>` };
}
