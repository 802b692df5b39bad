import type { FastifyInstance } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { campaignChangesSchema, exampleCampaignChanges } from '../../campaigns/campaign-schema.ts';
import { campaignsChangedSince } from '../../campaigns/list-changes.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Tag } from '../../http/endpoint/declaration.ts';
import { cursor, int32 } from '../../http/parameters/types.ts';
import { prepareResponse, sendResponse } from '../../http/responses/respond.ts';
import { sendPrivate } from '../../http/responses/send-private.ts';
import type { Schema } from '../../http/schema.ts';
import type { CustomerVault } from '../../orders/customer/customer-vault.ts';
import { ordersChangedSince, renderOrderChanges } from '../../orders/list/list-changes.ts';
import { exampleOrderChanges, orderChangesSchema } from '../../orders/record/order-schema.ts';
import { rendererFor } from '../../orders/record/show-orders.ts';
import { placementsChangedSince } from '../../placements/list/list-placements.ts';
import { examplePlacementList, placementListSchema } from '../../placements/placement-schema.ts';
import { renderChanges } from '../../products/changes/render-changes.ts';
import { changesSchema, exampleChanges } from '../../products/list/list-schema.ts';
import { schedulesChangedSince } from '../../sales/list-schedules.ts';
import { exampleScheduleList, scheduleListSchema } from '../../sales/schedule-schema.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { campaignsTag, catalogTag, ordersTag } from '../tags.ts';

const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 50;

interface ChangesRequest {
  merchantId: number;
  changedSince: string;
  perPage: number;
  /** People see customers only by `reveal`, which the audit log has. */
  seesCustomers: boolean;
}

interface ChangesEndpoint {
  items: 'products' | 'schedules' | 'campaigns' | 'placements' | 'orders';
  name: string;
  tag: Tag;
  scope: OperatorScope;
  schema: Schema;
  example: unknown;
  isPrivate?: true;
  list(request: ChangesRequest): Promise<RenderedJson>;
}

/** `GET /merchants/{external_id}/products`, `schedules`, `campaigns`, `placements` and `orders`. */
export function changesEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { offLoop: OffLoopReads; customers: CustomerVault },
): void {
  const { database, now, offLoop } = services;
  const endpoints: ChangesEndpoint[] = [
    {
      items: 'products',
      name: 'listProductChanges',
      tag: catalogTag,
      scope: 'catalog',
      schema: changesSchema,
      example: exampleChanges,
      list: async (request) =>
        (await renderChanges({ database, offLoop }, { ...request, fields: 'standard' })).body,
    },
    {
      items: 'schedules',
      name: 'listScheduleChanges',
      tag: catalogTag,
      scope: 'catalog',
      schema: scheduleListSchema,
      example: exampleScheduleList,
      list: async ({ changedSince, ...request }) =>
        RenderedJson.of(await schedulesChangedSince({ database, offLoop }, request, changedSince)),
    },
    {
      items: 'campaigns',
      name: 'listCampaignChanges',
      tag: campaignsTag,
      scope: 'campaigns',
      schema: campaignChangesSchema,
      example: exampleCampaignChanges,
      list: async ({ changedSince, ...request }) =>
        RenderedJson.of(await campaignsChangedSince({ database, offLoop, now }, request, changedSince)),
    },
    {
      items: 'placements',
      name: 'listPlacementChanges',
      tag: campaignsTag,
      scope: 'campaigns',
      schema: placementListSchema,
      example: examplePlacementList,
      list: async ({ changedSince, ...request }) =>
        RenderedJson.of(await placementsChangedSince({ database, offLoop, now }, request, changedSince)),
    },
    {
      items: 'orders',
      name: 'listOrderChanges',
      tag: ordersTag,
      scope: 'orders',
      schema: orderChangesSchema,
      example: exampleOrderChanges,
      isPrivate: true,
      list: async ({ changedSince, ...request }) => {
        const render = rendererFor(services, request);
        return renderOrderChanges(
          await ordersChangedSince({ database, offLoop }, request, changedSince, render),
        );
      },
    },
  ];
  for (const { items, schema, example, isPrivate, list, ...endpoint } of endpoints) {
    registerOperatorEndpoint(app, services, {
      ...endpoint,
      method: 'GET',
      path: `/merchants/{external_id}/${items}`,
      summary: `Follow the changes of a merchant’s ${items}`,
      description:
        `Lists ${items} in the order of their last change. Begin with \`start\`, and send the \`cursor\` of each response ` +
        `with the next request. Each of the ${items} comes in its newest state, and is listed again after each change. While ` +
        '`more` is true, there are further changes already. The cursors also work in v1 with a live key of the merchant.',
      pathParameters: merchantInPath,
      parameters: {
        changed_since: {
          type: cursor,
          required: true,
          description: '`start` for everything, or the `cursor` of an earlier response.',
          example: 'start',
        },
        per_page: {
          type: int32(1, MAX_PAGE_SIZE),
          description: `The maximum number of ${items} per response.`,
          default: DEFAULT_PAGE_SIZE,
        },
      },
      statuses: [200, 304, 404, 410],
      success: {
        description: 'The changes, and the cursor after them.',
        schema,
        examples: { changes: { summary: 'The last change', value: example } },
        ...(isPrivate && { isPrivate }),
      },
      handle: async ({ request, reply, caller, path, input }) => {
        const { id: merchantId } = await requireMerchant(database, path);
        const { changed_since: changedSince, per_page: perPage = DEFAULT_PAGE_SIZE } = input;
        const seesCustomers = caller.key !== undefined;
        const body = await list({ merchantId, changedSince, perPage, seesCustomers });
        if (isPrivate) {
          await sendPrivate(request, reply, body);
          return;
        }
        const { 'accept-encoding': acceptEncoding } = request.headers;
        sendResponse(request, reply, await prepareResponse(body, acceptEncoding));
      },
    });
  }
}
