import { queryOptions } from '@tanstack/react-query';
import { toServerError } from '../server/server-error.ts';
import type { OpenApi } from './open-api.ts';

/** The service's own OpenAPI document. */
export const openApiQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: async ({ signal }): Promise<OpenApi> => {
    const response = await fetch('/openapi.json', { signal });
    if (!response.ok) throw await toServerError(response);
    return (await response.json()) as OpenApi;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
