import type { FastifyInstance } from 'fastify';
import type { Overview } from '../console-api.ts';
import { json, registerConsoleEndpoint } from '../endpoint.ts';
import { type OverviewSources, readOverview } from './read-overview.ts';

/** The overview, the first page of the console. */
export function consoleOverviewRoutes(app: FastifyInstance, sources: OverviewSources): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/overview',
    parameters: {},
    statuses: [200],
    handle: async ({ session: { merchant } }) => json<Overview>(await readOverview(sources, merchant)),
  });
}
