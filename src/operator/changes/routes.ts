import type { FastifyInstance } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { campaignsChangedSince } from '../../campaigns/list-changes.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { prepareResponse, sendResponse } from '../../http/responses/respond.ts';
import { renderChanges } from '../../products/changes/render-changes.ts';
import { schedulesChangedSince } from '../../sales/list-schedules.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import {
  campaignChangesReference,
  changesParameters,
  DEFAULT_PAGE_SIZE,
  productChangesReference,
  scheduleChangesReference,
} from './references.ts';

interface ChangesRequest {
  merchantId: number;
  changedSince: string;
  perPage: number;
}

interface ChangesEndpoint {
  path: `/${string}`;
  scope: OperatorScope;
  reference: EndpointReference<typeof changesParameters>;
  list(request: ChangesRequest): Promise<RenderedJson>;
}

export function operatorChangesRoutes(
  app: FastifyInstance,
  services: OperatorWriteServices & { offLoop: OffLoopReads },
): void {
  const { database, now, offLoop } = services;
  const endpoints: ChangesEndpoint[] = [
    {
      path: '/merchants/{external_id}/products',
      scope: 'catalog',
      reference: productChangesReference,
      list: async (request) => (await renderChanges({ database, offLoop }, request)).body,
    },
    {
      path: '/merchants/{external_id}/schedules',
      scope: 'catalog',
      reference: scheduleChangesReference,
      list: async ({ changedSince, ...request }) =>
        RenderedJson.of(await schedulesChangedSince({ database, offLoop }, request, changedSince)),
    },
    {
      path: '/merchants/{external_id}/campaigns',
      scope: 'campaigns',
      reference: campaignChangesReference,
      list: async ({ changedSince, ...request }) =>
        RenderedJson.of(await campaignsChangedSince({ database, offLoop, now }, request, changedSince)),
    },
  ];
  for (const { list, ...endpoint } of endpoints) {
    registerOperatorEndpoint(app, services, {
      ...endpoint,
      method: 'GET',
      pathParameters: merchantInPath,
      parameters: changesParameters,
      statuses: [200, 304, 404, 410],
      handle: async ({ request, reply, path, input }) => {
        const { id: merchantId } = await requireMerchant(database, path);
        const { changed_since: changedSince, per_page: perPage = DEFAULT_PAGE_SIZE } = input;
        const body = await list({ merchantId, changedSince, perPage });
        const { 'accept-encoding': acceptEncoding } = request.headers;
        sendResponse(request, reply, await prepareResponse(body, acceptEncoding));
      },
    });
  }
}
