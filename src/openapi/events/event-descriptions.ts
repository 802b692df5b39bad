import type { CampaignStatus } from '../../campaigns/campaign.ts';
import { campaignSchema, exampleIn } from '../../campaigns/campaign-schema.ts';
import type {
  CampaignData,
  EventData,
  EventType,
  KeyData,
  ModerationReason,
} from '../../events/event-types.ts';
import { orNull, type Schema, time } from '../../http/schema.ts';
import { changedSince, type EventDescription, fields } from './event-description.ts';
import { orderEventDescriptions } from './order-event-descriptions.ts';

const REVISION = 1_763_850_000_000_017;

const identifier: Schema = { type: 'string', description: 'The product’s unique ID.' };
const internalId: Schema = { type: 'integer', description: 'The product’s `internal_id`.' };
const count: Schema = { type: 'integer', minimum: 0 };
const moderation = { type: 'string', enum: ['ok', 'problematic', 'banned'] } as const;

function ofCampaign(
  summary: string,
  description: string,
  status: CampaignStatus = 'Active',
): EventDescription<CampaignData> {
  return { summary, description, data: campaignSchema, example: exampleIn(status), revision: null };
}

const keyData = fields<KeyData>({
  id: { type: 'string', description: 'The ID of the key, such as `12-3`.' },
  name: { type: 'string', description: 'The name of the key.' },
  expires_at: orNull({ ...time, description: 'When the key expires; null if it does not.' }),
});
const exampleKey: KeyData = { id: '12-3', name: 'ERP', expires_at: '2026-12-31T23:00:00Z' };

function ofKey(summary: string, description: string): EventDescription<KeyData> {
  return { summary, description, data: keyData, example: exampleKey, revision: null };
}

const merchantData = fields<{ name: string }>({
  name: { type: 'string', description: 'The merchant’s name.' },
});

export const eventDescriptions: { readonly [Type in EventType]: EventDescription<EventData[Type]> } = {
  'catalog.changed': {
    summary: 'Products changed',
    description:
      'Products of the catalog were created or changed. One event covers many changes: the first one of a burst is ' +
      'sent within a second, and further ones after 1, 2, 4 seconds and so on, up to a minute apart. Read the changes ' +
      'with `GET products?changed_since=`.',
    data: changedSince('products'),
    example: { changed_since: 'ZkpTMnFJZ3ZbMSwiY2hhbmdlcyIsMTc2Mzg1MDAwMDAwMCwxNzYzODUwMDAwMDAwMDAwLDUxXQ' },
    revision: REVISION,
  },
  'product.moderated': {
    summary: 'A product was moderated',
    description: 'The marketplace operator changed the moderation of a product.',
    data: fields<EventData['product.moderated']>({
      identifier,
      internal_id: internalId,
      state: { ...moderation, description: 'Products that are not `ok` are not sold.' },
      previous_state: { ...moderation, description: 'The moderation before.' },
      reasons: {
        type: 'array',
        description: 'The operator’s reasons; empty if the state is `ok`.',
        items: fields<ModerationReason>({
          code: { type: 'string', description: 'For programs.' },
          field: orNull({
            type: 'string',
            description: 'The field of the product; null if no single field is the cause.',
          }),
          message: { type: 'string', description: 'For people.' },
        }),
      },
    }),
    example: {
      identifier: 'VASE-1',
      internal_id: 417,
      state: 'problematic',
      previous_state: 'ok',
      reasons: [
        { code: 'image_too_small', field: 'image_urls', message: 'The first image is 200 pixels wide.' },
      ],
    },
    revision: REVISION,
  },
  'stock.low': {
    summary: 'Stock is low',
    description:
      'The stock of products for sale fell to the threshold or below it. Recorded once, and again only after the stock ' +
      'was above the threshold. Products changed together share an event.',
    data: fields<EventData['stock.low']>({
      threshold: { ...count, description: 'The highest stock that counts as low, in units.' },
      products: {
        type: 'array',
        description: 'At most 100 of the products, fewer if their IDs are long.',
        items: fields<EventData['stock.low']['products'][number]>({
          identifier,
          internal_id: internalId,
          available_quantity: { type: 'integer', description: 'The units in stock after the change.' },
        }),
      },
      total: { type: 'integer', minimum: 1, description: 'The number of all of the products.' },
    }),
    example: {
      threshold: 5,
      products: [{ identifier: 'VASE-1', internal_id: 417, available_quantity: 3 }],
      total: 1,
    },
    revision: REVISION,
  },
  'campaign.created': ofCampaign('A campaign was created', 'The data is the new campaign.'),
  'campaign.updated': ofCampaign(
    'A campaign was changed',
    'A field other than the status changed. The data is the campaign after the change.',
  ),
  'campaign.paused': ofCampaign('A campaign was paused', 'The data is the paused campaign.', 'Paused'),
  'campaign.resumed': ofCampaign(
    'A campaign was resumed',
    'The data is the campaign, which is active again.',
  ),
  'campaign.ended': ofCampaign(
    'A campaign ended',
    'The data is the campaign. Its merchant cannot make it active again.',
    'Expired',
  ),
  'campaign.exhausted': ofCampaign(
    'The lifetime budget of a campaign is exhausted',
    'It no longer covers the bid, or the operator said so. The data is the campaign, which is active again once the ' +
      'budget is raised.',
    'Lifetime Budget Exhausted',
  ),
  'campaign.low_budget': ofCampaign(
    'The lifetime budget of a campaign is low',
    'Placements have spent a part of it, which the setting `LOW_BUDGET` states. The data is the campaign.',
  ),
  'campaign.daily_budget_spent': ofCampaign(
    'The daily budget of a campaign is spent',
    'What is left today does not cover the bid. Recorded at most once a day. The data is the campaign.',
  ),
  'import.finished': {
    summary: 'An import ended',
    description: 'The import of a file that was uploaded to the console or with `POST imports` ended.',
    data: fields<EventData['import.finished']>({
      id: { type: 'string', description: 'The ID for `GET imports/retrieve`.' },
      name: { type: 'string', description: 'The name of the file, of which long ones are cut off.' },
      state: { type: 'string', enum: ['done', 'failed', 'canceled'], description: 'How it ended.' },
      failure: orNull({ type: 'string', description: 'Why it failed; null if it did not.' }),
      created: { ...count, description: 'The number of products that the import created.' },
      updated: { ...count, description: 'The number of products that the import changed.' },
      unchanged: { ...count, description: 'The number of products that it did not change.' },
      rejected: { ...count, description: 'The number of rows that were rejected.' },
    }),
    example: {
      id: '0198a2b4-7c1e-7f00-9d3a-5b6c7d8e9f00',
      name: 'catalog.csv',
      state: 'done',
      failure: null,
      created: 120,
      updated: 14,
      unchanged: 2_300,
      rejected: 2,
    },
    revision: null,
  },
  ...orderEventDescriptions,
  'key.created': ofKey('A key was created', 'An API key was created or imported.'),
  'key.rotated': ofKey('A key was rotated', 'An API key got a new token.'),
  'key.revoked': ofKey('A key was revoked', 'An API key was revoked. Requests with it are refused.'),
  'key.expiring': ofKey(
    'A key expires soon',
    'An API key expires within 7 days. Recorded once for each time of expiry.',
  ),
  'webhook.disabled': {
    summary: 'A webhook was disabled',
    description: 'Deliveries to a webhook stopped. Its events are kept.',
    data: fields<EventData['webhook.disabled']>({
      id: { type: 'string', description: 'The ID of the webhook.' },
      url: { type: 'string', description: 'Where its events were sent.' },
      reason: {
        type: 'string',
        enum: ['failures', 'gone'],
        description: '`gone`: it responded with 410. `failures`: all attempts of five days failed.',
      },
    }),
    example: { id: 'we_8c1f0a6d2b7e43959d', url: 'https://erp.alpine-vases.example/hooks', reason: 'gone' },
    revision: null,
  },
  'merchant.created': {
    summary: 'A merchant was created',
    description:
      'A merchant was created, or registered itself. In the second case, `merchant` begins with `registered:`.',
    data: merchantData,
    example: { name: 'Alpine Vases' },
    revision: null,
  },
  'merchant.suspended': {
    summary: 'A merchant was suspended',
    description: 'The marketplace operator suspended a merchant.',
    data: merchantData,
    example: { name: 'Alpine Vases' },
    revision: null,
  },
};
