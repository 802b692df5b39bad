import type { Reader } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { errors } from '../../errors/errors.ts';
import { text } from '../../http/parameters/types.ts';
import { findWebhook, type WebhookName, type WebhookRow } from '../../webhooks/queries.ts';

const MAX_ID_LENGTH = 60;

export const webhookInPath = {
  webhook: {
    type: text(MAX_ID_LENGTH),
    description: 'The ID of the webhook.',
    example: 'we_5b0e8d8f3a1c42d7e9',
  },
};

export function nameOf({ webhook }: { webhook: string }): WebhookName {
  return { merchantId: OPERATOR_ID, id: webhook };
}

/** @throws {DomainError} `webhook_not_found` */
export async function requireWebhook(
  reader: Pick<Reader, 'first'>,
  path: { webhook: string },
): Promise<WebhookRow> {
  const row = await reader.first(findWebhook, nameOf(path));
  if (row === undefined) throw errors.webhook_not_found(path.webhook);
  return row;
}
