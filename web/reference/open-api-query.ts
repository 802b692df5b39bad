import { queryOptions } from '@tanstack/react-query';
import { toServerError } from '../server/server-error.ts';
import type { OpenApi } from './open-api.ts';

/** One of the service's own OpenAPI documents. */
export function openApiQueryOf(path: string) {
  return queryOptions({
    queryKey: ['open-api', path],
    queryFn: async ({ signal }): Promise<OpenApi> => {
      const response = await fetch(path, { signal });
      if (!response.ok) throw await toServerError(response);
      return (await response.json()) as OpenApi;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
