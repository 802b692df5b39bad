import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { Success } from '../http/endpoint/declaration.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { exampleSummary, pageSchemas } from '../http/pages/page-schema.ts';
import { pageOf } from '../http/pages/pages.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { sendJson } from '../http/responses/respond.ts';
import { requireOnlyChanges } from '../sync/changes-cursor.ts';
import type { CampaignBudget } from './campaign-budget.ts';
import { campaignId, campaignParameters, listParameters } from './campaign-parameters.ts';
import {
  campaignChangesSchema,
  campaignSchema,
  campaignSuccess,
  campaignsTag,
  exampleCampaign,
  exampleCampaignChanges,
} from './campaign-schema.ts';
import { createCampaignOnce } from './create-campaign.ts';
import type { CampaignLister } from './list-campaigns.ts';
import { campaignsChangedSince } from './list-changes.ts';
import { retrieveCampaign } from './retrieve-campaign.ts';

interface CampaignServices extends WriteServices {
  config: Pick<Config, 'campaignTypes'>;
  campaignBudget: CampaignBudget;
  campaignLister: CampaignLister;
  offLoop: OffLoopReads;
}

const page = pageSchemas('CampaignPaginationSummary', {
  items: 'campaigns',
  one: 'campaign',
  schema: campaignSchema,
});
const listSuccess: Success = {
  description:
    'The page: an array of campaigns, the pagination summary if `pagination` is true, or changes if `changed_since` ' +
    'is sent.',
  schema: { oneOf: [...page, campaignChangesSchema] },
  examples: {
    campaigns: { summary: 'Campaigns', value: [exampleCampaign] },
    summary: { summary: 'With `pagination=true`', value: exampleSummary(exampleCampaign) },
    changes: { summary: 'With `changed_since`', value: exampleCampaignChanges },
  },
  linked: true,
};

/** Specification, 4.2; contract for writing, “Campaigns”. */
export function campaignEndpoints(app: FastifyInstance, services: CampaignServices): void {
  const { config, campaignBudget, campaignLister: lister, offLoop } = services;
  const campaignTypes = config.campaignTypes?.map(({ name }) => name) ?? null;
  registerWrite(app, services, {
    path: '/campaigns.json',
    name: 'createCampaign',
    tag: campaignsTag,
    summary: 'Create a campaign',
    description:
      'Creates an active campaign. With an `Idempotency-Key`, the request can be retried safely: for 24 hours ' +
      'it returns the first response again and creates nothing else.',
    scope: 'campaigns',
    parameters: campaignParameters(campaignTypes),
    statuses: [200, 409],
    success: { ...campaignSuccess('The created campaign.'), located: true },
    handle: async ({ request, reply, caller: { merchantId }, input, runOnce }) => {
      const { response } = await campaignBudget.count(merchantId, (budget) =>
        runOnce(createCampaignOnce, input, { budget }),
      );
      await sendJson(request, reply, response, locationOf(response));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns.json',
    name: 'listCampaigns',
    tag: campaignsTag,
    summary: 'List campaigns',
    description:
      'Lists the merchant’s campaigns page by page, newest first, in every status unless `status` is given. A page past ' +
      'the end is empty. To keep a copy of the campaigns, follow `changed_since`: begin with `start`, and send the `cursor` ' +
      'of each response with the next request. A campaign that changes again is returned again, but not because `products`, ' +
      '`spend_today`, `spend`, `placements` or `limited_by` has another value.',
    scope: 'read',
    parameters: listParameters,
    statuses: [200, 304, 410],
    success: listSuccess,
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
    name: 'retrieveCampaign',
    tag: campaignsTag,
    summary: 'Retrieve a campaign',
    description: 'Returns the merchant’s campaign with the given `internal_id`.',
    scope: 'read',
    parameters: { internal_id: { ...campaignId, required: true } },
    statuses: [200, 304, 404],
    success: campaignSuccess('The campaign.'),
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
