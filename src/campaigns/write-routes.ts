import type { FastifyInstance } from 'fastify';
import { errors } from '../errors/errors.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { MAX_WRITE_BYTES } from '../http/request-limits.ts';
import { sendJson } from '../http/responses/respond.ts';
import type { CampaignBudget } from './campaign-budget.ts';
import { actionParameters, updateParameters } from './campaign-parameters.ts';
import { setCampaignStatus, updateCampaign } from './change-campaign.ts';
import { idOfCampaign } from './id-of-campaign.ts';
import { actionReference, updateReference } from './references.ts';

/** Contract for writing, “Campaigns”. */
export function campaignWriteRoutes(
  app: FastifyInstance,
  services: WriteServices & { lowInventory: number; campaignChangeBudget: CampaignBudget },
): void {
  const { lowInventory, campaignChangeBudget: budget } = services;
  registerWrite(app, services, {
    path: '/campaigns/update.json',
    scope: 'campaigns',
    parameters: updateParameters,
    statuses: [200, 404, 409],
    reference: updateReference,
    bodyLimit: MAX_WRITE_BYTES,
    handle: async ({ request, reply, caller: { merchantId, who }, input, once }) => {
      const json = await budget.count(merchantId, (countOne) =>
        once(async (connection) => {
          const scope = { merchantId, who, lowInventory, now: services.now(), countOne };
          return JSON.stringify((await updateCampaign(connection, scope, input)).campaign);
        }),
      );
      await sendJson(request, reply, json);
    },
  });
  for (const action of ['pause', 'resume', 'end'] as const) {
    registerWrite(app, services, {
      path: `/campaigns/${action}.json`,
      scope: 'campaigns',
      parameters: actionParameters,
      statuses: [200, 404, 409],
      reference: actionReference(action),
      bodyLimit: MAX_WRITE_BYTES,
      handle: async ({ request, reply, caller: { merchantId, who }, input, once }) => {
        if (input.internal_id !== undefined && input.name !== undefined) {
          const reason = 'send exactly one of internal_id and name';
          throw errors.invalid_parameters([{ field: 'name', reason }]);
        }
        const json = await budget.count(merchantId, (countOne) =>
          once(async (connection) => {
            const scope = { merchantId, who, now: services.now(), countOne };
            const id = await idOfCampaign(connection, merchantId, input);
            return JSON.stringify(await setCampaignStatus(connection, scope, { id, action }));
          }),
        );
        await sendJson(request, reply, json);
      },
    });
  }
}
