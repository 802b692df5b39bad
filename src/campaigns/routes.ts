import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { pageOf } from '../http/pages/pages.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { sendJson } from '../http/responses/respond.ts';
import { requireOnlyChanges } from '../sync/changes-cursor.ts';
import type { CampaignBudget } from './campaign-budget.ts';
import { campaignParameters, idParameters, listParameters } from './campaign-parameters.ts';
import { createCampaign } from './create-campaign.ts';
import type { CampaignLister } from './list-campaigns.ts';
import { campaignsChangedSince } from './list-changes.ts';
import { createReference, listReference, retrieveReference } from './references.ts';
import { retrieveCampaign } from './retrieve-campaign.ts';

interface CampaignServices extends WriteServices {
  config: Pick<Config, 'campaignTypes'>;
  campaignBudget: CampaignBudget;
  campaignLister: CampaignLister;
  offLoop: OffLoopReads;
}

/** Specification, 4.2; contract for writing, “Campaigns”. */
export function campaignRoutes(app: FastifyInstance, services: CampaignServices): void {
  const { config, campaignBudget: budget, campaignLister: lister, offLoop } = services;
  const campaignTypes = config.campaignTypes?.map(({ name }) => name) ?? null;
  registerWrite(app, services, {
    path: '/campaigns.json',
    scope: 'campaigns',
    parameters: campaignParameters(campaignTypes),
    statuses: [200, 409],
    reference: createReference,
    handle: async ({ request, reply, caller: { merchantId, who }, input, once }) => {
      const campaign = await budget.count(merchantId, (countOne) =>
        once(async (connection) => {
          countOne();
          return JSON.stringify(
            await createCampaign(connection, { merchantId, who, now: services.now() }, input),
          );
        }),
      );
      await sendJson(request, reply, campaign, locationOf(campaign));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns.json',
    scope: 'read',
    parameters: listParameters,
    statuses: [200, 304, 410],
    reference: listReference,
    handle: async ({ request, reply, caller: { merchantId }, input: { changed_since: since, ...input } }) => {
      if (since !== undefined) {
        const { per_page, ...others } = input;
        requireOnlyChanges(others);
        const { perPage } = pageOf({ per_page });
        const sources = { database: services.database, offLoop, now: services.now };
        const changes = await campaignsChangedSince(sources, { merchantId, perPage }, since);
        await sendJson(request, reply, JSON.stringify(changes));
        return;
      }
      const { campaigns, total } = await lister.list(merchantId, { ...pageOf(input), status: input.status });
      await sendPage(request, reply, { input, records: campaigns, total });
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns/retrieve.json',
    scope: 'read',
    parameters: idParameters,
    statuses: [200, 304, 404],
    reference: retrieveReference,
    handle: async ({ request, reply, caller: { merchantId }, input: { internal_id: id } }) => {
      const campaign = await retrieveCampaign(services, merchantId, id);
      await sendJson(request, reply, JSON.stringify(campaign));
    },
  });
}

/** Returns the `Location` header of a created campaign. */
function locationOf(json: string): string[] {
  const { internal_id: id }: { internal_id: string } = JSON.parse(json);
  return ['location', `campaigns/retrieve?internal_id=${encodeURIComponent(id)}`];
}
