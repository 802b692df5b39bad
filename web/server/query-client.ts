import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ServerError } from './server-error.ts';

const STALE_AFTER_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      // Browsers often misjudge whether they are online.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && error instanceof ServerError && error.status >= 500,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Loads the queries again whose keys begin with one of these. Resolves when the visible ones have loaded. */
export async function refresh(...keys: readonly (string | QueryKey)[]): Promise<void> {
  const queryKeys = keys.map((key) => (typeof key === 'string' ? [key] : key));
  await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
