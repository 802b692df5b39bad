import { queryOptions } from '@tanstack/react-query';
import type { Upload, UploadList } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

const POLL_INTERVAL_MS = 400;
const LIST_INTERVAL_MS = 5_000;

/** An upload, polled while the server processes it. */
export function uploadQuery(id: string) {
  return queryOptions({
    queryKey: ['uploads', id],
    queryFn: ({ signal }) => request<Upload>(`uploads/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'checking' || data?.state === 'importing' ? POLL_INTERVAL_MS : false,
  });
}

/** The latest uploads. */
export const recentUploadsQuery = queryOptions({
  queryKey: ['uploads'],
  queryFn: ({ signal }) => request<UploadList>('uploads', { signal }),
  refetchInterval: LIST_INTERVAL_MS,
});
