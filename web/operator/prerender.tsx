import type { ScreenSession } from '../../src/operator/screen/screen-api.ts';
import { renderInert } from '../render-inert.tsx';
import { marketplaceName } from '../server/application.ts';
import { queryClient } from '../server/query-client.ts';
import { allPages } from './pages.ts';
import { router } from './router.tsx';

/** A session with blank names, because the build does not know the operator. */
const placeholderSession: ScreenSession = {
  two_factor_missing: false,
  by_provider: false,
  user: { id: '', name: '\u00a0', email: '\u00a0', two_factor: false, role: 'admin' },
  // The server writes the name of the marketplace instead.
  marketplace: { name: marketplaceName, time_zone: 'UTC', currency: 'USD', is_set: true },
  brand_name: null,
  api_url: '',
  certificate: null,
};

/** The paths of the pages that are shown before the script runs. */
export const prerendered = ['/sign-in', ...allPages];

export async function prerender(path: string): Promise<{ title: string; markup: string }> {
  queryClient.setQueryData(['session'], placeholderSession);
  return await renderInert(router, path);
}
