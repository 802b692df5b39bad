import type { Reader } from '../../database/database.ts';
import { liveSideOf, modeOf } from '../../database/sides.ts';
import { webhookInPath } from '../../event-api/webhook-parameters.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { requireWebhookOfAnySide } from '../../webhooks/find-webhook.ts';
import type { WebhookRow } from '../../webhooks/queries.ts';
import { describeWebhook } from '../../webhooks/webhook.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import type { MerchantWebhook } from './webhook-schema.ts';

export const merchantWebhookInPath = { ...merchantInPath, ...webhookInPath };

/**
 * Finds a webhook of either side of the merchant in the path.
 * @throws {DomainError} `merchant_not_found`, `webhook_not_found`
 */
export async function findMerchantWebhook(
  reader: Pick<Reader, 'first'>,
  path: { external_id: string; webhook: string },
): Promise<{ row: WebhookRow; merchant: NamedMerchant }> {
  const { id: merchantId, external_id, name } = await requireMerchant(reader, path);
  const row = await requireWebhookOfAnySide(reader, { merchantId, id: path.webhook });
  return { row, merchant: { external_id, name } };
}

export function describeMerchantWebhook(
  row: WebhookRow,
  { external_id, name }: NamedMerchant,
  now: number,
): MerchantWebhook {
  const { merchant_id: side, waits_until: until } = row;
  return {
    ...describeWebhook(row),
    merchant: { external_id, name },
    test: modeOf(side) === 'test',
    waits_until: until !== null && until > now ? formatTime(until) : null,
  };
}

/** Describes the webhooks of merchants in `named`, in their order. */
export function describeMerchantWebhooks(
  rows: readonly WebhookRow[],
  named: ReadonlyMap<number, NamedMerchant>,
  now: number,
): MerchantWebhook[] {
  return rows.flatMap((row) => {
    const merchant = named.get(liveSideOf(row.merchant_id));
    return merchant === undefined ? [] : [describeMerchantWebhook(row, merchant, now)];
  });
}
