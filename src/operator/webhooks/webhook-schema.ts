import { exampleWebhook, webhookFields } from '../../event-api/webhook-schema.ts';
import { eventTypes } from '../../events/event-types.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { orNull, record, time } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';

/** A merchant's webhook, without its secret. */
export interface MerchantWebhook extends Webhook {
  merchant: NamedMerchant;
  test: boolean;
  waits_until: string | null;
}

const merchantWebhookSchema = record<MerchantWebhook>('MerchantWebhook', 'A webhook of a merchant.', {
  ...webhookFields(eventTypes),
  merchant: namedMerchantSchema,
  test: { type: 'boolean', description: 'Whether it receives the events of the merchant’s test data.' },
  waits_until: {
    ...orNull(time),
    description: 'Until when deliveries wait, because the merchant has used up its attempts of the day.',
  },
});

const exampleFailing: MerchantWebhook = {
  ...exampleWebhook,
  url: 'https://erp.alpine-vases.example/hooks',
  state: 'failing',
  failing_since: '2026-03-02T09:45:12Z',
  merchant: exampleNamedMerchant,
  test: false,
  waits_until: null,
};

export const merchantWebhookSuccess: Success = {
  description: 'The webhook.',
  schema: merchantWebhookSchema,
  examples: { webhook: { summary: 'A failing webhook', value: exampleFailing } },
};

export interface MerchantWebhookPage {
  results: MerchantWebhook[];
  next: string | null;
}

export const merchantWebhookPage: Success = {
  description: 'A page of webhooks.',
  schema: record<MerchantWebhookPage>('MerchantWebhookPage', 'A page of merchants’ webhooks.', {
    results: { type: 'array', items: merchantWebhookSchema },
    next: nextSchema,
  }),
  examples: { page: { summary: 'The last page', value: { results: [exampleFailing], next: null } } },
};

export const merchantWebhookList: Success = {
  description: 'All webhooks of the merchant.',
  schema: record<{ results: MerchantWebhook[] }>('MerchantWebhookList', 'All webhooks of a merchant.', {
    results: { type: 'array', items: merchantWebhookSchema },
  }),
  examples: { webhooks: { summary: 'One webhook', value: { results: [exampleFailing] } } },
};
