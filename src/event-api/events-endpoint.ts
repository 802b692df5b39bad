import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { listEvents, NEXT, OLDEST } from '../event-feed/list-events.ts';
import type { WriteCaller } from '../http/endpoint/authentication.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { DEFAULT_LIMIT, limitParameter } from '../http/parameters/page.ts';
import { cursor } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { record } from '../http/schema.ts';
import { exampleEvent } from '../openapi/events/event-schema.ts';
import { eventsTag } from '../openapi/events/webhooks.ts';
import type { EventApi } from './event-api.ts';

interface EventPage {
  results: unknown[];
  next: string;
  more: boolean;
}

const examplePage: EventPage = {
  results: [exampleEvent('campaign.created'), exampleEvent('stock.low')],
  next: 'cUJ1c1oxQ0lbMCwiVnhfbW1oNkQiLDUyMTA4ODkzNDQ1LDQxN10',
  more: false,
};

/** `GET /events`: the events of the caller’s side of a merchant, or of all merchants for the operator. */
export function eventsEndpoint<Caller extends WriteCaller, Permission extends string>(
  app: FastifyInstance,
  services: EndpointServices<Caller, Permission> & { database: Database },
  { whose, leavesOut, scopes, extension, eventSchema, hiddenFrom }: EventApi<Caller, Permission>,
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: `/events${extension}`,
    name: 'listEvents',
    tag: eventsTag,
    summary: 'List events',
    description:
      `Lists the events of ${whose}.${leavesOut} Start with \`after=${OLDEST}\` or \`after=${NEXT}\`, and send the \`next\` ` +
      'of each response with the next request: a client that does so misses no event. While `more` is true, there are ' +
      'further events already. The events of one product or campaign are in the order in which they occurred; other ' +
      'events may be in another order.',
    scope: scopes.events,
    parameters: {
      after: {
        type: cursor,
        description:
          `The \`next\` of the previous response; \`${OLDEST}\` for the oldest event that is kept; \`${NEXT}\` for ` +
          'the events that follow.',
        default: OLDEST,
        example: OLDEST,
      },
      limit: limitParameter('events'),
    },
    statuses: [200, 304, 410],
    success: {
      description: 'A part of the feed.',
      schema: record<EventPage>('EventPage', 'Events in the order of the feed.', {
        results: { type: 'array', items: eventSchema },
        next: {
          type: 'string',
          description: 'The value of `after` for the next request, also if there are no events yet.',
        },
        more: { type: 'boolean', description: 'Whether there are further events already.' },
      }),
      examples: { page: { summary: 'The newest events', value: examplePage } },
    },
    handle: async ({ request, reply, caller, input: { after = OLDEST, limit = DEFAULT_LIMIT } }) => {
      const { events, next, more } = await listEvents(services.database, caller.merchantId, {
        ...{ after, limit },
        hidden: hiddenFrom(caller),
      });
      const end = JSON.stringify({ next, more }).slice(1);
      await sendJson(request, reply, `{"results":[${events.join(',')}],${end}`);
    },
  });
}
