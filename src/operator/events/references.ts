import { NEXT, OLDEST } from '../../event-feed/list-events.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { ParameterDefinition } from '../../http/parameters/bind.ts';
import { record } from '../../http/schema.ts';
import { anyEvent, exampleEvent } from '../../openapi/events/event-schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { operatorEvents } from '../openapi/operator-api.ts';

interface EventPage {
  results: unknown[];
  next: string;
  more: boolean;
}

const pageSchema = record<EventPage>('EventPage', 'Events in the order of the feed.', {
  results: { type: 'array', items: anyEvent(operatorEvents) },
  next: {
    type: 'string',
    description: 'The value of `after` for the next request, also if there are no events yet.',
  },
  more: { type: 'boolean', description: 'Whether there are further events already.' },
});

const examplePage: EventPage = {
  results: [exampleEvent('campaign.created'), exampleEvent('stock.low')],
  next: 'cUJ1c1oxQ0lbMCwiVnhfbW1oNkQiLDUyMTA4ODkzNDQ1LDQxN10',
  more: false,
};

/** `GET /events`. */
export function listEventsReference(
  defaultLimit: number,
): EndpointReference<Record<'after' | 'limit', ParameterDefinition>> {
  return {
    name: 'listEvents',
    tag: eventsTag,
    summary: 'List events',
    description:
      'Lists the events of all merchants and of the operator’s keys. Start with ' +
      `\`after=${OLDEST}\` or \`after=${NEXT}\`, and send the \`next\` of each response with the next request: a client ` +
      'that does so misses no event. While `more` is true, there are further events already. The events of one product or ' +
      'campaign are in the order in which they occurred; other events may be in another order.',
    parameters: {
      after: {
        description:
          `The \`next\` of the previous response; \`${OLDEST}\` for the oldest event that is kept; \`${NEXT}\` for ` +
          'those that follow.',
        default: OLDEST,
        example: OLDEST,
      },
      limit: { description: 'The maximum number of events.', default: defaultLimit },
    },
    success: {
      description: 'A part of the feed.',
      schema: pageSchema,
      examples: { page: { summary: 'The newest events', value: examplePage } },
    },
  };
}
