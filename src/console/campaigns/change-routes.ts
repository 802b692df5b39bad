import type { FastifyInstance } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import type { CampaignBudget } from '../../campaigns/campaign-budget.ts';
import { updateParameters } from '../../campaigns/campaign-parameters.ts';
import { type ChangeScope, setCampaignStatus, updateCampaign } from '../../campaigns/change-campaign.ts';
import type { MoveScope } from '../../campaigns/move-products.ts';
import { retrieveCampaign } from '../../campaigns/retrieve-campaign.ts';
import type { Config } from '../../config.ts';
import type { Connection, Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { int32 } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CampaignProducts, ChangedCampaign } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors, sentence } from '../errors.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import { listCampaignProducts } from './list-products.ts';

/** The API's parameters, without the campaign, which the path names. */
const { internal_id: _, ...changeParameters } = updateParameters;

const DEFAULT_PRODUCTS = 20;
const MAX_PRODUCTS = 50;

export function consoleCampaignChangeRoutes(
  app: FastifyInstance,
  {
    database,
    now,
    config,
    campaignChangeBudget: budget,
  }: { database: Database; now: () => number; config: Config; campaignChangeBudget: CampaignBudget },
): void {
  const change = async <Result>(
    { merchant, user }: ConsoleCaller,
    work: (connection: Connection, scope: ChangeScope & MoveScope) => Promise<Result>,
  ): Promise<Result> => {
    const { lowInventory } = config;
    const scope = { merchantId: merchant.id, who: describeUser(user), lowInventory, now: now() };
    return await budget
      .count(merchant.id, (countOne) =>
        database.transaction((connection) => work(connection, { ...scope, countOne }), {
          merchantId: merchant.id,
        }),
      )
      .catch(asConflict);
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/{id}',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller: { merchant }, path: { id } }) => {
      const campaign = await retrieveCampaign({ database }, merchant.id, id);
      return RenderedJson.of<Campaign>(campaign);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/{id}/products',
    parameters: { before: { type: int32(1) }, limit: { type: int32(1, MAX_PRODUCTS) } },
    statuses: [200, 404],
    handle: async ({ caller: { merchant }, path: { id }, input: { before, limit = DEFAULT_PRODUCTS } }) => {
      const campaign = await retrieveCampaign({ database }, merchant.id, id);
      const listing = { name: campaign.name, before, limit };
      return RenderedJson.of<CampaignProducts>(await listCampaignProducts(database, merchant.id, listing));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/campaigns/{id}',
    parameters: changeParameters,
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id }, input }) => {
      const { campaign, moved } = await change(caller, (connection, scope) =>
        updateCampaign(connection, scope, { ...input, internal_id: id }),
      );
      return RenderedJson.of<ChangedCampaign>({ ...campaign, moved_products: moved });
    },
  });
  for (const action of ['pause', 'resume', 'end'] as const) {
    registerConsoleEndpoint(app, {
      method: 'POST',
      path: `/campaigns/{id}/${action}`,
      parameters: {},
      statuses: [200, 404, 409],
      handle: async ({ caller, path: { id } }) =>
        RenderedJson.of<Campaign>(
          await change(caller, (connection, scope) => setCampaignStatus(connection, scope, { id, action })),
        ),
    });
  }
}

/** The campaign's state forbids the change. No field of the form is at fault. */
function asConflict(error: unknown): never {
  const problem = error instanceof DomainError ? error.problems[0] : undefined;
  if (problem?.field !== 'internal_id') throw error;
  throw consoleErrors.conflict(sentence(problem.reason));
}
