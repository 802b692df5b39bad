import type { FastifyInstance } from 'fastify';
import type { ChangeSources } from '../campaigns/late-numbered.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { requireOrderedDays } from '../http/parameters/day-range.ts';
import { sendJson } from '../http/responses/respond.ts';
import { performanceTag } from '../sales/sales-schema.ts';
import { explainFigure } from './explain-figure.ts';
import { explainParameters, requireSelectors } from './explain-parameters.ts';
import { exampleExplanation, explanationSchema } from './explain-schema.ts';

/** `GET /explain.json` (contract for campaigns, “Explain a number”). */
export function explainEndpoint(app: FastifyInstance, services: ChangeSources & EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/explain.json',
    name: 'explainFigure',
    tag: performanceTag,
    summary: 'Explain a figure',
    description:
      'Returns how a figure of sales, of campaigns or of their performance is computed: the formula, the rounding, and ' +
      'where the lines are that it adds up. Without any lines, sums are 0 and other figures null. The lines of ' +
      '`product_sales.fees` are orders, whose list requires the scope `orders`.',
    scope: 'read',
    parameters: explainParameters,
    statuses: [200, 304, 404],
    success: {
      description: 'The explanation.',
      schema: explanationSchema,
      examples: { price: { summary: 'The average price of a month', value: exampleExplanation } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input: { figure, ...selection } }) => {
      requireSelectors(figure, selection);
      requireOrderedDays(selection);
      const explanation = await explainFigure(services, merchantId, figure, selection);
      await sendJson(request, reply, JSON.stringify(explanation));
    },
  });
}
