import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import { DEFAULT_CHANGES, historyPage } from '../products/history/history-parameters.ts';
import { campaignId } from './campaign-parameters.ts';
import { campaignsTag } from './campaign-schema.ts';
import { campaignHistorySuccess } from './history-schema.ts';
import { listCampaignHistory } from './list-history.ts';

/** `GET /campaigns/history.json`. */
export function campaignHistoryEndpoint(
  app: FastifyInstance,
  services: EndpointServices & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns/history.json',
    name: 'listCampaignHistory',
    tag: campaignsTag,
    summary: 'List the changes of a campaign',
    description:
      'Lists what changed in a campaign, newest first: the fields with their values before and after, when, who did it, ' +
      'and by which call. The last entry is the creation of the campaign. What its placements cost is not listed. Entries ' +
      'are deleted after a time that the marketplace’s operator sets, usually 90 days.',
    scope: 'read',
    parameters: { internal_id: { ...campaignId, required: true }, ...historyPage },
    statuses: [200, 304, 404],
    success: campaignHistorySuccess,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { internal_id: id, per_page: perPage = DEFAULT_CHANGES, after } = input;
      const list = await listCampaignHistory(services.database, { merchantId, id }, { perPage, after });
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
}
