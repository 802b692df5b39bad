import { OPERATOR_ID } from '../../database/sides.ts';
import { text } from '../../http/parameters/types.ts';
import type { WebhookName } from '../../webhooks/queries.ts';

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
