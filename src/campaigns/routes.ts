import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { sendJson } from '../http/answer.ts';
import { type Gatekeepers, registerEndpoint } from '../http/endpoint.ts';
import { answerOnce, idempotencyKeyOf } from '../http/idempotency.ts';
import { amount, oneOf, text } from '../http/parameter-types.ts';
import { createCampaign } from './create-campaign.ts';

interface Settings {
  database: Database;
  now: () => number;
  /** The types that may be created, or null for any. */
  campaignTypes: string[] | null;
}

/** `POST /campaigns.json` (specification, 4.2). */
export function campaignRoutes(
  app: FastifyInstance,
  { database, now, campaignTypes }: Settings,
  gatekeepers: Gatekeepers,
): void {
  const underWay = new Set<string>();
  registerEndpoint(app, gatekeepers, {
    method: 'POST',
    path: '/campaigns.json',
    parameters: {
      name: { type: text(255), required: true },
      type: { type: campaignTypes === null ? text(100) : oneOf(campaignTypes), required: true },
      daily_budget: { type: amount },
      bid_amount: { type: amount },
      daily_budget_per_product: { type: amount },
      lifetime_budget: { type: amount },
      lifetime_budget_per_product: { type: amount },
    },
    statuses: [200, 409],
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const key = idempotencyKeyOf(request);
      const campaign = await answerOnce(
        { database, now, underWay },
        { merchantId, key, input },
        async (connection) => JSON.stringify(await createCampaign(connection, merchantId, input, now())),
      );
      await sendJson(request, reply, campaign);
    },
  });
}
