import type { FastifyInstance } from 'fastify';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import { amountNames, type Campaign } from '../../campaigns/campaign.ts';
import type { CampaignBudget } from '../../campaigns/campaign-budget.ts';
import { updateParameters } from '../../campaigns/campaign-parameters.ts';
import {
  type CampaignAction,
  type ChangeScope,
  setCampaignStatus,
  updateCampaign,
} from '../../campaigns/change-campaign.ts';
import { retrieveCampaign } from '../../campaigns/retrieve-campaign.ts';
import type { Connection, Database } from '../../database/database.ts';
import { int32 } from '../../http/parameters/types.ts';
import { errors, HttpError } from '../../http/responses/errors.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CampaignProducts } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import { listCampaignProducts } from './list-products.ts';

/** The parameters of the public API's call, without the campaign, which the path names. */
const { internal_id: _, ...changeParameters } = updateParameters;

const DEFAULT_PRODUCTS = 20;
const MAX_PRODUCTS = 50;

const auditActions = {
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  end: 'campaign.ended',
} as const satisfies Record<CampaignAction, string>;

/** Registers the endpoints of one campaign. Changes are recorded in the audit log in their transaction. */
export function consoleCampaignChangeRoutes(
  app: FastifyInstance,
  {
    database,
    now,
    campaignChangeBudget: budget,
  }: { database: Database; now: () => number; campaignChangeBudget: CampaignBudget },
): void {
  /** Runs a change, and records it unless the campaign is as before. */
  const change = async (
    { merchant, user }: ConsoleCaller,
    id: string,
    { work, describe }: Change,
  ): Promise<RenderedJson> => {
    const at = now();
    const campaign = await budget
      .count(merchant.id, (countOne) =>
        database.transaction(
          async (connection) => {
            const before = await retrieveCampaign({ database: connection }, merchant.id, id);
            const after = await work(connection, { merchantId: merchant.id, now: at, countOne });
            if (before === undefined || before.updated_at === after.updated_at) return after;
            const entry = { merchantId: merchant.id, who: describeUser(user), ...describe(before, after) };
            await recordAudit(connection, entry, at);
            return after;
          },
          { merchantId: merchant.id },
        ),
      )
      .catch(asConflict);
    return RenderedJson.of<Campaign>(campaign);
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/:id',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ session: { merchant }, id }) => {
      const campaign = await retrieveCampaign({ database }, merchant.id, id);
      if (campaign === undefined) throw errors.campaign_not_found(id);
      return RenderedJson.of<Campaign>(campaign);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/campaigns/:id/products',
    parameters: { before: { type: int32(1) }, limit: { type: int32(1, MAX_PRODUCTS) } },
    statuses: [200, 404],
    handle: async ({ session: { merchant }, id, input: { before, limit = DEFAULT_PRODUCTS } }) => {
      const campaign = await retrieveCampaign({ database }, merchant.id, id);
      if (campaign === undefined) throw errors.campaign_not_found(id);
      const listing = { name: campaign.name, before, limit };
      return RenderedJson.of<CampaignProducts>(await listCampaignProducts(database, merchant.id, listing));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/campaigns/:id',
    parameters: changeParameters,
    statuses: [200, 404, 409],
    handle: ({ session, id, input }) =>
      change(session, id, {
        work: (connection, scope) => updateCampaign(connection, scope, { ...input, internal_id: id }),
        describe: (before, after) => ({
          action: 'campaign.changed',
          subject: describeChanges(before, after),
        }),
      }),
  });
  for (const action of ['pause', 'resume', 'end'] as const) {
    registerConsoleEndpoint(app, {
      method: 'POST',
      path: `/campaigns/:id/${action}`,
      parameters: {},
      statuses: [200, 404, 409],
      handle: ({ session, id }) =>
        change(session, id, {
          work: (connection, scope) => setCampaignStatus(connection, scope, { id, action }),
          describe: (_, after) => ({ action: auditActions[action], subject: after.name }),
        }),
    });
  }
}

interface Change {
  work(connection: Connection, scope: ChangeScope): Promise<Campaign>;
  describe(before: Campaign, after: Campaign): Pick<Parameters<typeof recordAudit>[1], 'action' | 'subject'>;
}

/** Returns the name of a campaign and its changed fields: `Spring sale: bid_amount 0.4, daily_budget none`. */
function describeChanges(before: Campaign, after: Campaign): string {
  const changes = (['name', ...amountNames] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${after[field] ?? 'none'}`);
  return `${before.name}: ${changes.join(', ')}`;
}

/** The state of the campaign forbids the change, which is not a fault of a field of the form. */
function asConflict(error: unknown): never {
  const problem = error instanceof HttpError ? error.problems[0] : undefined;
  if (problem?.name !== 'internal_id') throw error;
  throw new HttpError(409, `${problem.reason.slice(0, 1).toUpperCase()}${problem.reason.slice(1)}.`);
}
