import type { EventType } from '../../events/event-types.ts';
import type { Schema } from '../../http/schema.ts';
import type { Components } from '../components.ts';
import { eventDescriptions } from './event-descriptions.ts';
import { type EventSchemas, exampleEvent, pascalCase } from './event-schema.ts';

export const eventsTag = { name: 'Events', description: 'What happens to merchants and their data.' };

/** The headers of each delivery, as in Standard Webhooks. */
const headers: Readonly<Record<string, { description: string; schema: Schema; example: string }>> = {
  'webhook-id': {
    description: 'The event’s `id`, the same in every attempt.',
    schema: { type: 'string' },
    example: 'evt_19cade211c04f1a3e9d0701f2c4b5a697880c',
  },
  'webhook-timestamp': {
    description:
      'The time of this attempt, in seconds since 1970. Reject one that is more than a few minutes off.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
    example: '1772443800',
  },
  'webhook-signature': {
    description:
      'One or two signatures, separated by a space: `v1,` and the Base64 of the HMAC-SHA256 of the ID, the timestamp ' +
      'and the body, joined by periods. The key is what the webhook’s secret encodes after `whsec_`.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

/** The section `webhooks` of a document: the requests that webhooks receive, by type of event. */
export function webhooks(schemas: EventSchemas, components: Components): Record<string, object> {
  const entries = [...schemas].map(([type, schema]) => [
    type,
    { post: delivery(type, components.schema(schema)) },
  ]);
  return Object.fromEntries(entries);
}

function delivery(type: EventType, schema: Schema): object {
  const { summary, description } = eventDescriptions[type];
  const event = { summary, value: exampleEvent(type) };
  return {
    operationId: `receive${pascalCase(type)}`,
    tags: [eventsTag.name],
    summary,
    description,
    security: [],
    parameters: Object.entries(headers).map(([name, header]) => ({
      name,
      in: 'header',
      required: true,
      ...header,
    })),
    requestBody: { required: true, content: { 'application/json': { schema, examples: { event } } } },
    responses: {
      '2XX': { description: 'The webhook has received the event.' },
      '410': { description: 'The webhook is gone. It is disabled.' },
      default: { description: 'The delivery failed. It is repeated later.' },
    },
  };
}
