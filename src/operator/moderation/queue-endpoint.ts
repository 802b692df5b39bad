import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID } from '../../database/sides.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { readQueue } from '../../products/moderation/list-queue.ts';
import { type ModerationQueue, queueSuccess } from '../../products/moderation/queue-schema.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { externalId, merchantInQuery } from '../merchants/merchant-parameters.ts';
import { catalogTag } from '../tags.ts';

/** `GET /moderation`. */
export function moderationQueueEndpoint(
  app: FastifyInstance,
  services: OperatorWriteServices & { moderationQueue: boolean },
): void {
  const { database, moderationQueue } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/moderation',
    pathParameters: {},
    name: 'listModerationQueue',
    tag: catalogTag,
    summary: 'List products that wait for a review',
    description:
      'Lists products that merchants created, or of which they changed something that reviewers look at, since the last ' +
      'decision about them; those that wait longest come first. Deleted products do not wait. A page has fewer products than `limit` if ' +
      'they are large: continue until `next` is null. Needs the setting `MODERATION_QUEUE`.',
    scope: 'catalog',
    parameters: {
      ...pageParameters('products'),
      merchant: {
        type: externalId,
        description: 'List only the products of the merchant with this ID of the operator’s.',
        example: 'seller-4711',
      },
    },
    statuses: [200, 304],
    success: queueSuccess,
    handle: async ({ request, reply, input: { after, limit = DEFAULT_LIMIT, merchant } }) => {
      const merchantId =
        merchant === undefined ? undefined : (await merchantInQuery(database, 'merchant', merchant)).id;
      const { entries, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'moderation', selected: [merchantId], after },
        ['integer', 'integer', 'integer'],
        async (place) => {
          const start = place && { since: place[0], merchantId: place[1], productId: place[2] };
          const page = await readQueue(database, { merchantId, after: start, limit });
          const last = page.next;
          return { ...page, next: last && ([last.since, last.merchantId, last.productId] as const) };
        },
      );
      const page: ModerationQueue = { is_on: moderationQueue, results: entries, next };
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}
