import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID } from '../../database/sides.ts';
import { cursor, int32 } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { readQueue, START_OF_QUEUE } from '../../products/moderation/list-queue.ts';
import type { QueuePosition } from '../../products/moderation/queries.ts';
import { type ModerationQueue, queueSuccess } from '../../products/moderation/queue-schema.ts';
import { type CursorList, decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { externalId, merchantInQuery } from '../merchants/merchant-parameters.ts';
import { catalogTag } from '../tags.ts';

const DEFAULT_LIMIT = 20;
/** Each entry has whole texts, and decisions of its merchant and category. */
const MAX_LIMIT = 50;

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
      'decision about them; those that wait longest come first. Deleted products do not wait. Needs the setting ' +
      '`MODERATION_QUEUE`.',
    scope: 'catalog',
    parameters: {
      after: {
        type: cursor,
        description: 'List what follows: the `next` of the page before.',
      },
      limit: {
        type: int32(1, MAX_LIMIT),
        description: 'The maximum number of products.',
        default: DEFAULT_LIMIT,
      },
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
      const list = { merchantId: OPERATOR_ID, listing: `moderation ${merchantId ?? ''}` };
      const start = after === undefined ? START_OF_QUEUE : readPosition(after, list);
      const { entries, next } = await readQueue(database, { merchantId, after: start, limit });
      const page: ModerationQueue = {
        is_on: moderationQueue,
        results: entries,
        next: next === undefined ? null : encodeCursor(list, [next.since, next.merchantId, next.productId]),
      };
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}

/** @throws {DomainError} `invalid_parameters` */
function readPosition(after: string, list: CursorList): QueuePosition {
  const [since, merchantId, productId] = decodeCursor('after', after, list, [
    'integer',
    'integer',
    'integer',
  ]);
  return { since: Number(since), merchantId: Number(merchantId), productId: Number(productId) };
}
