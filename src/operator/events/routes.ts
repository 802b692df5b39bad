import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { listEvents, MAX_EVENTS, OLDEST } from '../../event-feed/list-events.ts';
import { cursor, int32 } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { listEventsReference } from './references.ts';

const DEFAULT_LIMIT = 100;

export function operatorEventRoutes(
  app: FastifyInstance,
  services: OperatorEndpointServices & { database: Database },
): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/events',
    pathParameters: {},
    parameters: { after: { type: cursor }, limit: { type: int32(1, MAX_EVENTS) } },
    scope: 'events',
    statuses: [200, 304, 410],
    reference: listEventsReference(DEFAULT_LIMIT),
    handle: async ({ request, reply, input: { after = OLDEST, limit = DEFAULT_LIMIT } }) => {
      const { events, next, more } = await listEvents(database, { after, limit });
      const end = JSON.stringify({ next, more }).slice(1);
      await sendJson(request, reply, `{"results":[${events.join(',')}],${end}`);
    },
  });
}
