import type { FastifyInstance } from 'fastify';
import { idempotencyKeyOf, runOnce } from '../http/endpoint/idempotency.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import { sendJson } from '../http/responses/respond.ts';
import type { CampaignBudget } from './campaign-budget.ts';
import { campaignParameters } from './campaign-parameters.ts';
import { createCampaign } from './create-campaign.ts';
import { createReference } from './create-reference.ts';

interface Settings {
  /** The allowed types, null for any. */
  campaignTypes: string[] | null;
  budget: CampaignBudget;
}

/** `POST /campaigns.json` (specification, 4.2). */
export function campaignRoutes(
  app: FastifyInstance,
  { campaignTypes, budget }: Settings,
  services: WriteServices,
): void {
  registerEndpoint(app, services, {
    method: 'POST',
    path: '/campaigns.json',
    scope: 'campaigns',
    parameters: campaignParameters(campaignTypes),
    statuses: [200, 409],
    reference: createReference,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const key = idempotencyKeyOf(request);
      const campaign = await budget.count(merchantId, (take) =>
        runOnce(
          services,
          { merchantId, key, endpoint: 'POST /campaigns.json', input },
          async (connection) => {
            take();
            return JSON.stringify(await createCampaign(connection, merchantId, input, services.now()));
          },
        ),
      );
      await sendJson(request, reply, campaign);
    },
  });
}
