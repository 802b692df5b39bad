import { queryOptions } from '@tanstack/react-query';
import type { ShopSettings } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const shopQuery = queryOptions({
  queryKey: ['shop'],
  queryFn: ({ signal }) => request<ShopSettings>('shop', { signal }),
});
