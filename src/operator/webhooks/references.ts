import { eventTypes } from '../../events/event-types.ts';
import type { PathParameter } from '../../http/endpoint/declaration.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters } from '../../http/parameters/bind.ts';
import { text } from '../../http/parameters/types.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import type { Delivery, LastAttempt } from '../../webhooks/list-deliveries.ts';
import * as parameters from '../../webhooks/parameters.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { listOf } from '../endpoint/parameter-types.ts';

const MAX_ID_LENGTH = 60;
const MAX_LIMIT = 200;

export const webhookInPath = {
  webhook: {
    type: text(MAX_ID_LENGTH),
    description: 'The ID of the webhook.',
    example: 'we_5b0e8d8f3a1c42d7e9',
  } satisfies PathParameter<string>,
};

const types = listOf(eventTypes);
export const createParameters = parameters.createParameters(types);
export const changeParameters = parameters.changeParameters(types);
export const { replayParameters } = parameters;
export const deliveriesParameters = parameters.deliveriesParameters(MAX_LIMIT);

/** The secret is returned once. */
export type CreatedWebhook = Webhook & { secret: string };

const webhookFields: { [Name in keyof Webhook]: Schema } = {
  id: { type: 'string' },
  url: { type: 'string', description: 'Where events are sent.' },
  description: { type: 'string' },
  types: {
    type: 'array',
    items: { type: 'string', enum: eventTypes },
    description: 'The types of events that are sent. Empty for all.',
  },
  state: {
    type: 'string',
    enum: ['enabled', 'failing', 'disabled'],
    description: 'A `failing` webhook is enabled, but its newest attempts have failed.',
  },
  disabled_reason: {
    oneOf: [{ type: 'string', enum: ['owner', 'failures', 'gone'] }, { type: 'null' }],
    description:
      '`failures`: all attempts of five days have failed. `gone`: the receiver responded with 410.',
  },
  failing_since: { ...orNull(time), description: 'The first failure since the last success.' },
  disabled_at: orNull(time),
  created_at: time,
};
const webhookSchema = record<Webhook>('Webhook', 'A webhook of the operator.', webhookFields);
const createdSchema = record<CreatedWebhook>('CreatedWebhook', 'A new webhook.', {
  ...webhookFields,
  secret: { type: 'string', description: 'The secret that signs its messages. It is returned once.' },
});
const attemptFields: { [Name in keyof LastAttempt]: Schema } = {
  at: time,
  duration_ms: { type: 'integer' },
  status: { ...orNull({ type: 'integer' }), description: 'Null if there was no response.' },
  error: { ...orNull({ type: 'string' }), description: 'Why there was no response.' },
  response: { ...orNull({ type: 'string' }), description: 'The first 2 kB of the response.' },
};
const attemptSchema = record<LastAttempt>('WebhookAttempt', 'An attempt to deliver an event.', attemptFields);
const deliverySchema = record<Delivery>('WebhookDelivery', 'An event and its delivery to a webhook.', {
  event_id: { type: 'string' },
  type: { type: 'string', enum: eventTypes },
  occurred_at: time,
  state: { type: 'string', enum: ['pending', 'delivered', 'failed'] },
  attempts: { type: 'integer', description: 'The number of attempts so far, including replays.' },
  last_attempt: { oneOf: [attemptSchema, { type: 'null' }] },
});

const example: Webhook = {
  id: 'we_5b0e8d8f3a1c42d7e9',
  url: 'https://market.example/tradepost',
  description: 'Order system',
  types: ['campaign.created', 'product.moderated'],
  state: 'enabled',
  disabled_reason: null,
  failing_since: null,
  disabled_at: null,
  created_at: '2026-03-02T09:31:00Z',
};
const exampleAttempt: LastAttempt = {
  at: '2026-03-02T09:45:12.310Z',
  duration_ms: 84,
  status: 204,
  error: null,
  response: '',
};
const exampleDelivery: Delivery = {
  event_id: 'evt_064c1b0a1d0f35b7a1c42d7e93f0d8',
  type: 'campaign.created',
  occurred_at: '2026-03-02T09:45:12Z',
  state: 'delivered',
  attempts: 1,
  last_attempt: exampleAttempt,
};

const success = {
  description: 'The webhook.',
  schema: webhookSchema,
  examples: { webhook: { summary: 'An enabled webhook', value: example } },
};
const describedFields = {
  url: {
    description: 'An https:// URL with a public address, or one in the networks of WEBHOOK_NETWORKS.',
    example: example.url,
  },
  types: { description: 'The types of events to send. All by default; `null` for all.' },
  description: { description: 'A note for people. `null` clears it.', example: example.description },
};

export const createReference: EndpointReference<typeof createParameters> = {
  name: 'createWebhook',
  tag: eventsTag,
  summary: 'Create a webhook',
  description:
    'Sends the events of all merchants to a URL from now on, signed as Standard Webhooks defines. Each event is repeated ' +
    'up to ten times over 75 hours until the receiver responds with 2xx.',
  parameters: describedFields,
  success: {
    status: 201,
    description: 'The webhook, with its secret.',
    schema: createdSchema,
    examples: {
      webhook: {
        summary: 'A new webhook',
        value: { ...example, secret: 'whsec_EXAMPLE' } satisfies CreatedWebhook,
      },
    },
  },
};

export const listReference: EndpointReference<NoParameters> = {
  name: 'listWebhooks',
  tag: eventsTag,
  summary: 'List webhooks',
  description:
    'Lists the webhooks of the operator, oldest first. Merchants’ own webhooks are not among them.',
  parameters: {},
  success: {
    description: 'All webhooks.',
    schema: record<{ results: Webhook[] }>('WebhookList', 'All webhooks.', {
      results: { type: 'array', items: webhookSchema },
    }),
    examples: { webhooks: { summary: 'One webhook', value: { results: [example] } } },
  },
};

export const retrieveReference: EndpointReference<NoParameters> = {
  name: 'retrieveWebhook',
  tag: eventsTag,
  summary: 'Retrieve a webhook',
  description: 'Returns a webhook without its secret.',
  parameters: {},
  success,
};

export const changeReference: EndpointReference<typeof changeParameters> = {
  name: 'changeWebhook',
  tag: eventsTag,
  summary: 'Change, disable or enable a webhook',
  description:
    'Changes the fields that are sent. Disabling a webhook fails its pending deliveries. Enabling it does not resend ' +
    'them; use replay.',
  parameters: { ...describedFields, enabled: { description: 'Whether events are sent.' } },
  success,
};

export const deleteReference: EndpointReference<NoParameters> = {
  name: 'deleteWebhook',
  tag: eventsTag,
  summary: 'Delete a webhook',
  description: 'Sends nothing more to the webhook and deletes it.',
  parameters: {},
  success,
};

export const rotateReference: EndpointReference<NoParameters> = {
  name: 'rotateWebhookSecret',
  tag: eventsTag,
  summary: 'Replace the secret of a webhook',
  description: 'Creates a new secret. For 24 hours, messages are also signed with the former one.',
  parameters: {},
  success: {
    status: 201,
    description: 'The new secret.',
    schema: record<{ secret: string }>('WebhookSecret', 'A new secret.', {
      secret: { type: 'string', description: 'It is returned once.' },
    }),
    examples: { secret: { summary: 'A secret', value: { secret: 'whsec_EXAMPLE' } } },
  },
};

export const testReference: EndpointReference<NoParameters> = {
  name: 'testWebhook',
  tag: eventsTag,
  summary: 'Send an example to a webhook',
  description:
    'Sends an event of the type `webhook.test` once, also to a disabled webhook, and returns how the receiver responded.',
  parameters: {},
  success: {
    description: 'The attempt.',
    schema: attemptSchema,
    examples: { attempt: { summary: 'The receiver has accepted it', value: exampleAttempt } },
  },
};

export const replayReference: EndpointReference<typeof replayParameters> = {
  name: 'replayWebhook',
  tag: eventsTag,
  summary: 'Send events again',
  description:
    'Sends events of the last 30 days to the current URL again, with the same IDs: one event, or all from `since` to ' +
    '`until`, or only the failed ones. Include events from before the webhook was created or while it was disabled.',
  parameters: {
    event_id: { description: 'The ID of one event.', example: exampleDelivery.event_id },
    since: { description: 'Events that occurred at this time or later.', example: '2026-03-02T00:00:00Z' },
    until: { description: 'Events that occurred before this time; by default, until now.' },
    only_failed: { description: 'Whether to send only events whose delivery has failed.', default: false },
  },
  success: {
    description: 'The number of events to send.',
    schema: record<{ events: number }>('WebhookReplay', 'A replay.', { events: { type: 'integer' } }),
    examples: { replay: { summary: 'Two events', value: { events: 2 } } },
  },
};

export const deliveriesReference: EndpointReference<typeof deliveriesParameters> = {
  name: 'listWebhookDeliveries',
  tag: eventsTag,
  summary: 'List deliveries to a webhook',
  description: 'Lists the events of the last 30 days that were sent to a webhook, newest first.',
  parameters: {
    before: { description: 'The `next` of the page before.', example: 417 },
    limit: { description: 'The maximum number of deliveries.', default: 50 },
    only_failed: { description: 'Whether to list only failed deliveries.', default: false },
  },
  success: {
    description: 'A page of deliveries.',
    schema: record<{ results: Delivery[]; next: number | null }>(
      'WebhookDeliveryPage',
      'A page of deliveries.',
      {
        results: { type: 'array', items: deliverySchema },
        next: {
          ...orNull({ type: 'integer' }),
          description: 'The value of `before` for the next page; null on the last one.',
        },
      },
    ),
    examples: { page: { summary: 'The last page', value: { results: [exampleDelivery], next: null } } },
  },
};
