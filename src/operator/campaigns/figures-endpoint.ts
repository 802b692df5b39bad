import type { FastifyInstance } from 'fastify';
import { int32 } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { SHOWN_HOURS } from '../../placements/hourly/hourly-placements.ts';
import { KeptRead } from '../../shared/kept-read.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { campaignsTag } from '../tags.ts';
import { campaignFiguresSchema, exampleFigures } from './figures-schema.ts';
import { readBudgets, readCampaignFigures } from './read-figures.ts';

const DEFAULT_HOURS = 24;

/** What the campaigns of all merchants spend. */
export function campaignFiguresEndpoint(
  app: FastifyInstance,
  services: OperatorEndpointServices & Pick<OperatorWriteServices, 'database' | 'now'>,
): void {
  const { database, now } = services;
  const budgets = new KeptRead(() => readBudgets(database), { now });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns/figures',
    name: 'retrieveCampaignFigures',
    tag: campaignsTag,
    summary: 'Retrieve what campaigns spend',
    description:
      'Returns what placements cost the merchants in the last hours, by hour, by category and by price, and what ' +
      'their campaigns plan. Counted are placements that `POST placements` reserved, without test sides, up to a ' +
      'few seconds ago. Each process keeps the budgets and the numbers of campaigns for at least ten seconds.',
    scope: 'campaigns',
    pathParameters: {},
    parameters: {
      hours: {
        type: int32(1, SHOWN_HOURS),
        description: 'How many hours, the present one included.',
        default: DEFAULT_HOURS,
      },
    },
    statuses: [200, 304],
    success: {
      description: 'The figures.',
      schema: campaignFiguresSchema,
      examples: { figures: { summary: 'The figures of an hour', value: exampleFigures } },
    },
    handle: async ({ request, reply, input: { hours = DEFAULT_HOURS } }) => {
      const figures = await readCampaignFigures({ database, now, budgets }, hours);
      await sendJson(request, reply, JSON.stringify(figures));
    },
  });
}
