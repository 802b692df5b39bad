import type { EventType } from '../events/event-types.ts';
import type { Success } from '../http/endpoint/declaration.ts';
import { nextSchema } from '../http/parameters/page.ts';
import { orNull, record, type Schema, time } from '../http/schema.ts';
import type { Delivery, LastAttempt } from '../webhooks/list-deliveries.ts';
import { type Webhook, webhookStates } from '../webhooks/webhook.ts';

/** The secret is returned once. */
export type CreatedWebhook = Webhook & { secret: string };

const attemptFields: { [Name in keyof LastAttempt]: Schema } = {
  at: { ...time, description: 'When it was sent.' },
  duration_ms: { type: 'integer', description: 'How long it took, in milliseconds.' },
  status: {
    ...orNull({ type: 'integer' }),
    description: 'The HTTP status of the response; null if there was no response.',
  },
  error: { ...orNull({ type: 'string' }), description: 'Why there was no response.' },
  response: { ...orNull({ type: 'string' }), description: 'The first 2 kB of the response.' },
};
const attemptSchema = record<LastAttempt>('WebhookAttempt', 'An attempt to deliver an event.', attemptFields);

export interface WebhookSchemas {
  webhook: Schema;
  /** With its secret. */
  created: Schema;
  deliveryPage: Schema;
}

/** The schemas of the fields of webhooks that can receive these types of events. */
export function webhookFields(types: readonly EventType[]): { [Name in keyof Webhook]: Schema } {
  return {
    id: { type: 'string', description: 'Identifies the webhook in other calls.' },
    url: { type: 'string', description: 'Where events are sent.' },
    description: { type: 'string', description: 'A note for people; blank if it has none.' },
    types: {
      type: 'array',
      items: { type: 'string', enum: types },
      description: 'The types of events that are sent. Empty for all.',
    },
    state: {
      type: 'string',
      enum: webhookStates,
      description: 'A `failing` webhook is enabled, but its newest attempts have failed.',
    },
    disabled_reason: {
      oneOf: [{ type: 'string', enum: ['owner', 'operator', 'failures', 'gone'] }, { type: 'null' }],
      description:
        '`operator`: the operator of the marketplace has disabled a merchant’s webhook. `failures`: all attempts of five days have failed. `gone`: the receiver responded with 410.',
    },
    failing_since: { ...orNull(time), description: 'The first failure since the last success.' },
    disabled_at: { ...orNull(time), description: 'When it was disabled; null if it is enabled.' },
    created_at: { ...time, description: 'The time of creation.' },
  };
}

/** The schemas of webhooks that can receive these types of events. */
export function webhookSchemas(types: readonly EventType[]): WebhookSchemas {
  const fields = webhookFields(types);
  const delivery = record<Delivery>('WebhookDelivery', 'An event and its delivery to a webhook.', {
    event_id: { type: 'string', description: 'The `id` of the event.' },
    type: { type: 'string', enum: types, description: 'The type of the event.' },
    occurred_at: { ...time, description: 'When the event happened.' },
    state: {
      type: 'string',
      enum: ['pending', 'delivered', 'failed'],
      description: '`pending` until it is `delivered`, or `failed` after five days of attempts.',
    },
    attempts: { type: 'integer', description: 'The number of attempts so far, including replays.' },
    last_attempt: { oneOf: [attemptSchema, { type: 'null' }] },
  });
  return {
    webhook: record<Webhook>('Webhook', 'A URL that events are sent to.', fields),
    created: record<CreatedWebhook>('CreatedWebhook', 'A new webhook.', {
      ...fields,
      secret: { type: 'string', description: 'The secret that signs its messages. It is returned once.' },
    }),
    deliveryPage: record<{ results: Delivery[]; next: string | null }>(
      'WebhookDeliveryPage',
      'A page of deliveries.',
      {
        results: { type: 'array', items: delivery },
        next: nextSchema,
      },
    ),
  };
}

export const exampleWebhook: Webhook = {
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

/** The response of a call that returns one webhook. */
export function webhookSuccess({ webhook }: WebhookSchemas): Success {
  return {
    description: 'The webhook.',
    schema: webhook,
    examples: { webhook: { summary: 'An enabled webhook', value: exampleWebhook } },
  };
}

export const attemptSuccess: Success = {
  description: 'The attempt.',
  schema: attemptSchema,
  examples: { attempt: { summary: 'The receiver has accepted it', value: exampleAttempt } },
};

export const replaySuccess: Success = {
  description: 'The number of events to send.',
  schema: record<{ events: number }>('WebhookReplay', 'A replay.', {
    events: { type: 'integer', description: 'The number of events that are sent again.' },
  }),
  examples: { replay: { summary: 'Two events', value: { events: 2 } } },
};

/** The response of a call that lists deliveries. */
export function deliveriesSuccess({ deliveryPage }: WebhookSchemas): Success {
  return {
    description: 'A page of deliveries.',
    schema: deliveryPage,
    examples: { page: { summary: 'The last page', value: { results: [exampleDelivery], next: null } } },
  };
}
