import type { Reader } from '../database/database.ts';
import {
  listDisabledOfMerchants,
  listEnabledOfMerchants,
  listFailingOfMerchants,
  listWebhooksOf,
  type WebhookRow,
} from './queries.ts';
import { stateOf, type WebhookState } from './webhook.ts';

/** The position after a webhook: the time that the list is ordered by, 0 if it is ordered by ID. */
export interface WebhookPosition {
  time: number;
  id: string;
}

interface ListedPart {
  state: WebhookState;
  after?: WebhookPosition | undefined;
  limit: number;
}

/**
 * Lists the webhooks of all merchants and their test sides with a state: failing ones by their first failure,
 * disabled ones by the time at which they were disabled, enabled ones by ID.
 */
export async function listWebhooksOfAllMerchants(
  reader: Pick<Reader, 'all'>,
  { state, after, limit }: ListedPart,
): Promise<WebhookRow[]> {
  const { time = -1, id = '' } = after ?? {};
  if (state === 'enabled') return await reader.all(listEnabledOfMerchants, { id, limit });
  const statement = state === 'failing' ? listFailingOfMerchants : listDisabledOfMerchants;
  return await reader.all(statement, { time, id, limit });
}

/** Lists the webhooks of one side of a merchant with a state, ordered as the list of all merchants. */
export async function listWebhooksOfMerchant(
  reader: Pick<Reader, 'all'>,
  { merchantId, state, after, limit }: ListedPart & { merchantId: number },
): Promise<WebhookRow[]> {
  const rows = await reader.all(listWebhooksOf, { merchantId });
  return rows
    .filter((row) => stateOf(row) === state)
    .map((row) => ({ row, position: positionOf(state, row) }))
    .filter(({ position }) => after === undefined || comparePositions(position, after) > 0)
    .toSorted((one, other) => comparePositions(one.position, other.position))
    .slice(0, limit)
    .map(({ row }) => row);
}

function comparePositions(one: WebhookPosition, other: WebhookPosition): number {
  if (one.time !== other.time) return one.time - other.time;
  return Number(one.id > other.id) - Number(one.id < other.id);
}

export function positionOf(state: WebhookState, row: WebhookRow): WebhookPosition {
  const time = state === 'failing' ? row.failing_since : state === 'disabled' ? row.disabled_at : 0;
  return { time: time ?? 0, id: row.id };
}
