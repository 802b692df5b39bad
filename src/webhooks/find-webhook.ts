import type { Reader } from '../database/database.ts';
import { testSideOf } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { findWebhook, type WebhookName, type WebhookRow } from './queries.ts';

/** Finds a webhook of its owner. @throws {DomainError} `webhook_not_found` */
export async function requireWebhook(reader: Pick<Reader, 'first'>, name: WebhookName): Promise<WebhookRow> {
  return (await reader.first(findWebhook, name)) ?? noWebhook(name.id);
}

/** Finds a webhook of a merchant or its test side. @throws {DomainError} `webhook_not_found` */
export async function requireWebhookOfAnySide(
  reader: Pick<Reader, 'first'>,
  { merchantId, id }: WebhookName,
): Promise<WebhookRow> {
  const live = await reader.first(findWebhook, { merchantId, id });
  return live ?? (await requireWebhook(reader, { merchantId: testSideOf(merchantId), id }));
}

/** @throws {DomainError} `webhook_not_found` */
export function noWebhook(id: string): never {
  throw errors.webhook_not_found(id);
}
