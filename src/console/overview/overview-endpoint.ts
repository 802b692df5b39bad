import type { FastifyInstance } from 'fastify';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { Overview } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { type OverviewSources, readOverview } from './read-overview.ts';

export function consoleOverviewEndpoint(app: FastifyInstance, sources: OverviewSources): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/overview',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchant } }) =>
      RenderedJson.of<Overview>(await readOverview(sources, merchant)),
  });
}
