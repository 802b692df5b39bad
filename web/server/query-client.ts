import { QueryClient } from '@tanstack/react-query';
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
