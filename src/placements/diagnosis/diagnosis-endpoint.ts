import type { FastifyInstance } from 'fastify';
import { campaignId } from '../../campaigns/campaign-parameters.ts';
import { campaignsTag } from '../../campaigns/campaign-schema.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { type DiagnosisServices, diagnose } from './diagnose.ts';
import { diagnosisSchema, exampleDiagnosis } from './diagnosis-schema.ts';

const parameters = {
  internal_id: { ...campaignId, required: true },
  product_identifier: {
    // Longer than any identifier, so that an invalid one gets the same response as an unknown one.
    type: text(1000),
    description: 'Diagnoses only the product with this unique ID.',
    example: 'VASE-7',
  },
} as const;

/** `GET campaigns/diagnosis` (contract for campaigns, “What merchants see”). */
export function diagnosisEndpoint(
  app: FastifyInstance,
  services: DiagnosisServices & EndpointServices,
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns/diagnosis.json',
    name: 'diagnoseCampaign',
    tag: campaignsTag,
    summary: 'Find out why a campaign is not shown more',
    description:
      'Returns what became of the requests for placements in the last 24 hours that a campaign, or a product in it, ' +
      'could have won: how many it won, how many it lost for each reason, and which bids would have won more. Counts ' +
      'are kept by hour, and include requests a few seconds after they were decided.',
    scope: 'read',
    parameters,
    statuses: [200, 304, 404],
    success: {
      description: 'The diagnosis.',
      schema: diagnosisSchema,
      examples: { outbid: { summary: 'A campaign that others outbid', value: exampleDiagnosis } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { internal_id: id, product_identifier: identifier } = input;
      const diagnosis = await diagnose(services, { merchantId, campaignId: id, identifier });
      await sendJson(request, reply, JSON.stringify(diagnosis));
    },
  });
}
