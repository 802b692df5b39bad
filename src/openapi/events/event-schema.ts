import type { ClientEvent, EventType } from '../../events/event-types.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { eventDescriptions } from './event-descriptions.ts';

/** Schemas by type of event. */
export type EventSchemas = ReadonlyMap<EventType, Schema>;

export function eventSchemas(types: readonly EventType[], audience: 'merchants' | 'operator'): EventSchemas {
  const merchant =
    audience === 'merchants'
      ? ({ type: 'string', description: 'The marketplace operator’s ID of the merchant.' } as const)
      : orNull({
          type: 'string',
          description: 'The merchant’s `external_id`; null for events of the operator.',
        });
  return new Map(types.map((type) => [type, eventSchema(type, merchant)]));
}

function eventSchema(type: EventType, merchant: Schema): Schema {
  const { summary, data } = eventDescriptions[type];
  return record<ClientEvent>(`${pascalCase(type)}Event`, `${summary}.`, {
    id: {
      type: 'string',
      description:
        'The same whenever and wherever the event is delivered. Remember it to process each event only once.',
    },
    type: { type: 'string', const: type, description: `Always \`${type}\`.` },
    occurred_at: { ...time, description: 'When it happened.' },
    merchant,
    test: { type: 'boolean', description: 'Whether it concerns the merchant’s test data.' },
    revision: orNull({
      type: 'integer',
      description:
        'The number of the catalog’s revision after the change, for events about products; otherwise null.',
    }),
    data,
  });
}

export function anyEvent(schemas: EventSchemas): Schema {
  return {
    title: 'Event',
    description: 'An event, whose `type` says what `data` is.',
    oneOf: [...schemas.values()],
  };
}

export function exampleEvent(type: EventType): object {
  const { example, revision } = eventDescriptions[type];
  return {
    id: 'evt_19cade211c04f1a3e9d0701f2c4b5a697880c',
    type,
    occurred_at: '2026-03-02T09:30:00Z',
    merchant: 'seller-4711',
    test: false,
    revision,
    data: example,
  };
}

/** The beginning of names in generated code, such as `CampaignCreated`. */
export function pascalCase(type: EventType): string {
  return type
    .split('.')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
