import type { ConsoleSession } from '../src/console/console-api.ts';
import { allPages } from './palette/pages.ts';
import { renderInert } from './render-inert.tsx';
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
  shops: [],
  test_data: false,
  api_url: '',
  certificate: null,
};

/** The paths of the pages that are shown before the script runs. */
export const prerendered = ['/sign-in', '/products/import', ...allPages];

export async function prerender(path: string): Promise<{ title: string; markup: string }> {
  queryClient.setQueryData(['session'], placeholderSession);
  return await renderInert(router, path);
}
