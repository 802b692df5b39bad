import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { CampaignBudget } from '../../campaigns/campaign-budget.ts';
import { updateParameters } from '../../campaigns/campaign-parameters.ts';
import { updateCampaign } from '../../campaigns/change-campaign.ts';
import type { CampaignCounter } from '../../campaigns/count-campaigns.ts';
import { retrieveCampaign } from '../../campaigns/retrieve-campaign.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import { int32, listOf } from '../../http/parameters/types.ts';
import { campaignTotals } from '../../placements/performance/campaign-performance.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CampaignOverview, CampaignProducts, CampaignReturns, ChangedCampaign } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { listCampaignProducts } from './list-products.ts';

/** The API's parameters, without the campaign, which the path names. */
const { internal_id: _, ...changeParameters } = updateParameters;

const DEFAULT_PRODUCTS = 20;
const MAX_PRODUCTS = 50;
const campaignIds = listOf('campaign IDs', 100, {
  schema: { type: 'string' },
  read: (id) => (id === '' ? undefined : id),
});

interface CampaignServices {
  database: Database;
  now: () => number;
  config: Pick<Config, 'campaignTypes' | 'lowInventory'>;
  campaignCounter: CampaignCounter;
  /** Shared with the API, so that both count against the same budget. */
  campaignChangeBudget: CampaignBudget;
}

/** Registers what the API's calls for campaigns do not return. */
export function consoleCampaignEndpoints(
  app: FastifyInstance,
  { database, now, config, campaignCounter, campaignChangeBudget }: CampaignServices,
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/overview',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchantId } }) => {
      const { total: all, byStatus } = await campaignCounter.count(merchantId);
      const types = config.campaignTypes;
      return RenderedJson.of<CampaignOverview>({ counts: { all, by_status: byStatus }, types });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/returns',
    parameters: { ids: { type: campaignIds, required: true } },
    statuses: [200],
    handle: async ({ caller: { merchantId }, input: { ids } }) => {
      const totals = await campaignTotals(database, merchantId, ids);
      const returns = [...totals].map(([id, { return_on_spend }]) => [id, return_on_spend] as const);
      return RenderedJson.of<CampaignReturns>({ returns: Object.fromEntries(returns) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/{id}/products',
    parameters: { before: { type: int32(1) }, limit: { type: int32(1, MAX_PRODUCTS) } },
    statuses: [200, 404],
    handle: async ({ caller: { merchantId }, path: { id }, input: { before, limit = DEFAULT_PRODUCTS } }) => {
      const campaign = await retrieveCampaign({ database, now }, merchantId, id);
      const listing = { name: campaign.name, before, limit };
      return RenderedJson.of<CampaignProducts>(await listCampaignProducts(database, merchantId, listing));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/campaigns/{id}',
    parameters: changeParameters,
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchantId, user }, path: { id }, input }) => {
      const caller = { merchantId, who: merchantUser(user), lowInventory: config.lowInventory };
      const change = { ...input, internal_id: id };
      const { campaign, moved } = await campaignChangeBudget.count(merchantId, (budget) =>
        runVerb({ database, now }, { ...caller, budget }, updateCampaign, change),
      );
      return RenderedJson.of<ChangedCampaign>({ ...campaign, moved_products: moved });
    },
  });
}
