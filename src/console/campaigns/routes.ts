import type { FastifyInstance } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import type { CampaignBudget } from '../../campaigns/campaign-budget.ts';
import { campaignParameters, listParameters } from '../../campaigns/campaign-parameters.ts';
import type { CampaignCounter } from '../../campaigns/count-campaigns.ts';
import { createCampaign } from '../../campaigns/create-campaign.ts';
import type { CampaignLister } from '../../campaigns/list-campaigns.ts';
import type { CampaignType } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { int32 } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CampaignPage } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';

interface Dependencies {
  database: Database;
  now: () => number;
  /** Null for any. */
  campaignTypes: CampaignType[] | null;
  campaignCounter: CampaignCounter;
  campaignLister: CampaignLister;
  /** Shared with the API, so that campaigns created here count against the same budget. */
  campaignBudget: CampaignBudget;
}

export function consoleCampaignRoutes(
  app: FastifyInstance,
  { database, now, campaignTypes, campaignCounter, campaignLister, campaignBudget }: Dependencies,
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns',
    parameters: {
      status: listParameters.status,
      page: { type: int32(1) },
      per_page: { type: int32(1, 100) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { status, page = 1, per_page: perPage = 25 } }) => {
      const listing = { status, page, perPage };
      const { campaigns, total } = await campaignLister.list(merchant.id, listing);
      const { total: all, byStatus } = await campaignCounter.count(merchant.id);
      return RenderedJson.of<CampaignPage>({
        campaigns,
        page,
        per_page: perPage,
        total_entries: total,
        counts: { all, by_status: byStatus },
        types: campaignTypes,
      });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/campaigns',
    parameters: campaignParameters(campaignTypes?.map(({ name }) => name) ?? null),
    statuses: [200],
    handle: async ({ caller: { merchant, user }, input }) =>
      RenderedJson.of<Campaign>(
        await campaignBudget.count(merchant.id, (take) =>
          database.transaction(
            async (connection) => {
              take();
              const scope = { merchantId: merchant.id, who: describeUser(user), now: now() };
              return await createCampaign(connection, scope, input);
            },
            { merchantId: merchant.id },
          ),
        ),
      ),
  });
}
