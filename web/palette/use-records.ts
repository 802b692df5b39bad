import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { newestCampaignsQuery } from '../campaigns/queries.ts';
import { keysQuery } from '../keys/queries.ts';
import { groupsOf } from '../reference/groups.ts';
import { openApiQueryOf } from '../reference/open-api-query.ts';
import { webhooksQuery } from '../webhooks/queries.ts';
import type { Command } from './rank.ts';

/**
 * Returns commands that open campaigns, API keys, webhooks and calls of the API, of which a merchant has few
 * enough to find them here. They are loaded once they are wanted.
 */
export function useRecords(isWanted: boolean): Command[] {
  const navigate = useNavigate();
  const options = { enabled: isWanted, throwOnError: false } as const;
  const campaigns = useQuery({ ...newestCampaignsQuery, ...options }).data ?? [];
  const keys = useInfiniteQuery({ ...keysQuery, ...options }).data?.pages.flatMap((page) => page.keys) ?? [];
  const webhooks = useQuery({ ...webhooksQuery, ...options }).data?.webhooks ?? [];
  const document = useQuery({ ...openApiQueryOf('/openapi.json'), ...options }).data;
  const groups = document === undefined ? [] : groupsOf(document);
  return [
    ...campaigns.map(
      ({ internal_id: campaign, name, status }): Command => ({
        id: `campaign-${campaign}`,
        group: 'Campaigns',
        label: name,
        hint: status,
        isOneOfMany: true,
        run: () => void navigate({ to: '/campaigns/$campaign', params: { campaign } }),
      }),
    ),
    ...keys.map(
      ({ id, name }): Command => ({
        id: `key-${id}`,
        group: 'API keys',
        label: name,
        hint: id,
        isOneOfMany: true,
        run: () => void navigate({ to: '/keys' }),
      }),
    ),
    ...webhooks.map(
      ({ id, url }): Command => ({
        id: `webhook-${id}`,
        group: 'Webhooks',
        label: url,
        isOneOfMany: true,
        run: () => void navigate({ to: '/webhooks', search: { webhook: id } }),
      }),
    ),
    ...groups.flatMap(({ slug: group, endpoints }) =>
      endpoints.map(
        ({ method, path, operation: { operationId, summary } }): Command => ({
          id: `call-${operationId}`,
          group: 'API reference',
          label: summary ?? operationId,
          hint: `${method} ${path}`,
          alias: operationId,
          isOneOfMany: true,
          run: () => void navigate({ to: '/reference/$group', params: { group }, hash: operationId }),
        }),
      ),
    ),
  ];
}
