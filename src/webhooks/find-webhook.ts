import type { Reader } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { findWebhook, type WebhookName, type WebhookRow } from './queries.ts';

/** Finds a webhook of its owner. @throws {DomainError} `webhook_not_found` */
export async function requireWebhook(reader: Pick<Reader, 'first'>, name: WebhookName): Promise<WebhookRow> {
  return (await reader.first(findWebhook, name)) ?? noWebhook(name.id);
}

/** @throws {DomainError} `webhook_not_found` */
export function noWebhook(id: string): never {
  throw errors.webhook_not_found(id);
}
