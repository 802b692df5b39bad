import type { Reader } from '../database/database.ts';
import {
  listDisabledOfMerchants,
  listEnabledOfMerchants,
  listFailingOfMerchants,
  type WebhookRow,
} from './queries.ts';
import type { WebhookState } from './webhook.ts';

/** The position after a webhook: the time that the list is ordered by, 0 if it is ordered by ID. */
export interface WebhookPosition {
  time: number;
  id: string;
}

/**
 * Lists the webhooks of all merchants and their test sides with a state: failing ones by their first failure,
 * disabled ones by the time at which they were disabled, enabled ones by ID.
 */
export async function listWebhooksOfMerchants(
  reader: Pick<Reader, 'all'>,
  { state, after, limit }: { state: WebhookState; after?: WebhookPosition | undefined; limit: number },
): Promise<WebhookRow[]> {
  const { time = -1, id = '' } = after ?? {};
  if (state === 'enabled') return await reader.all(listEnabledOfMerchants, { id, limit });
  const statement = state === 'failing' ? listFailingOfMerchants : listDisabledOfMerchants;
  return await reader.all(statement, { time, id, limit });
}

export function positionOf(state: WebhookState, row: WebhookRow): WebhookPosition {
  const time = state === 'failing' ? row.failing_since : state === 'disabled' ? row.disabled_at : 0;
  return { time: time ?? 0, id: row.id };
}
