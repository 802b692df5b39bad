import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Finding } from '../../doctor/finding.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { KeptRead } from '../../shared/kept-read.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { overviewTag } from '../tags.ts';
import { overviewSuccess } from './overview-schema.ts';
import { readOverview } from './read-overview.ts';

export function overviewEndpoint(
  app: FastifyInstance,
  services: OperatorWriteServices & { config: Config; installation: KeptRead<Finding[]> },
): void {
  const overview = new KeptRead(() => readOverview(services), services);
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/overview',
    name: 'retrieveOverview',
    tag: overviewTag,
    summary: 'Retrieve figures of the marketplace',
    description:
      'Returns what needs attention, what waits, and the figures of live data of all merchants in the last 24 hours ' +
      'and seven days, against the time before. Each process keeps them for at least ten seconds: `at` says when ' +
      'they were read.',
    scope: 'merchants',
    pathParameters: {},
    parameters: {},
    statuses: [200, 304],
    success: overviewSuccess,
    handle: async ({ request, reply }) => {
      await sendJson(request, reply, JSON.stringify(await overview.read()));
    },
  });
}
