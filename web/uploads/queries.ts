import { queryOptions } from '@tanstack/react-query';
import type { Upload } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

const LOOK_AGAIN_MS = 400;

/** An upload; asked for again and again while the server is at work on it. */
export function uploadQuery(id: string) {
  return queryOptions({
    queryKey: ['uploads', id],
    queryFn: ({ signal }) => request<Upload>(`uploads/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'checking' || data?.state === 'importing' ? LOOK_AGAIN_MS : false,
  });
}
