import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import { acceptStreams } from '../../http/parameters/incoming-file.ts';
import { contextOf } from '../../http/request-context.ts';
import { sendJson } from '../../http/responses/respond.ts';
import type { StreamResult } from '../../imports/import-stream.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { exampleStreamedOrder, streamedOrderSchema } from '../../orders/push/draft-schema.ts';
import { exampleFact, factSchema } from '../../placements/facts/fact-schema.ts';
import { exampleProduct } from '../../products/record/example-product.ts';
import { productSchema } from '../../products/record/product-schema.ts';
import { exampleSchedule, scheduleSchema } from '../../sales/schedule-schema.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { campaignsTag, catalogTag, ordersTag } from '../tags.ts';
import type { StreamImports } from './stream-import.ts';
import { type StreamSummary, streamSuccess } from './stream-schema.ts';

const streams = [
  {
    kind: 'products',
    name: 'streamProducts',
    tag: catalogTag,
    scope: 'catalog',
    summary: 'Create and change products of a merchant',
    does:
      'Imports product records as `GET products` returns them, one per line, like `tradepost import products`: products ' +
      'are matched by `identifier`, and fields that a line does not have keep their values.',
    stream: { schema: productSchema, examples: [exampleProduct] },
  },
  {
    kind: 'schedules',
    name: 'streamSchedules',
    tag: catalogTag,
    scope: 'catalog',
    summary: 'Create and change schedules of a merchant',
    does:
      'Imports schedules, one per line, like `tradepost import schedules`: a line replaces the schedule with the same ' +
      '`schedule_id`, except that it keeps its `variation_identifier` and its `order_id` if the line does not have them.',
    stream: { schema: scheduleSchema, examples: [exampleSchedule] },
  },
  {
    kind: 'orders',
    name: 'streamOrders',
    tag: ordersTag,
    scope: 'orders',
    summary: 'Create and change orders of a merchant',
    does:
      'Imports orders, one per line, like `tradepost import orders`: a line changes the order with the same `external_id`, ' +
      'and fields that a line does not have keep their values.',
    stream: { schema: streamedOrderSchema, examples: [exampleStreamedOrder] },
  },
  {
    kind: 'placements',
    name: 'streamPlacements',
    tag: campaignsTag,
    scope: 'campaigns',
    summary: 'State placements of a merchant',
    does:
      'Imports placements that an ad server of the operator’s own has delivered, one per line. They are facts, so they may ' +
      'exceed a budget. A line replaces the placement with the same `placement_id`.',
    stream: { schema: factSchema, examples: [exampleFact] },
  },
] as const;

const rules =
  'The stream may have any length, and is read as fast as it is imported. Every 4,000 lines are durable together. A ' +
  'line that is rejected changes nothing. After a broken connection or an error, send the whole stream again: lines ' +
  'that are stored already are unchanged. A stream fails if nothing arrives for 30 seconds, and each process imports up ' +
  'to 4 streams at a time.';

/** `POST /merchants/{external_id}/products`, `schedules`, `orders` and `placements`. */
export function streamEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { metrics: Metrics; streams: StreamImports },
): void {
  const { database, metrics, overloadControl } = services;
  // A plugin of its own, so that no other endpoint accepts a streamed body.
  app.register(async (plugin) => {
    acceptStreams(plugin);
    for (const { kind, does, ...endpoint } of streams) {
      registerOperatorEndpoint(plugin, services, {
        ...endpoint,
        method: 'POST',
        path: `/merchants/{external_id}/${kind}`,
        description: `${does} ${rules}`,
        pathParameters: merchantInPath,
        parameters: {},
        statuses: [200, 404, 408, 409],
        success: streamSuccess,
        handle: async ({ request, reply, caller: { who }, path }) => {
          const { id: merchantId, suspended_at } = await requireMerchant(database, path);
          if (suspended_at !== null) throw errors.merchant_suspended();
          const body = request.body as Readable;
          const isCompressed = request.headers['content-encoding'] === 'gzip';
          const result = await overloadControl.runOutside(() =>
            withoutTimeLimit(request, () =>
              services.streams.run({ merchantId, kind, who, body, isCompressed }),
            ),
          );
          metrics.importRows(result.summary);
          await sendJson(request, reply, JSON.stringify(summaryOf(result)));
        },
      });
    }
  });
}

/** Runs work that reads the body with its own time limit. */
async function withoutTimeLimit<T>({ raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { socket } = raw;
  const context = contextOf(raw);
  const { timeout = 0 } = socket;
  context.hasSlowBody = true;
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    context.hasSlowBody = false;
    socket.setTimeout(timeout);
  }
}

function summaryOf({ summary, rejections, unlisted }: StreamResult): StreamSummary {
  return {
    ...summary,
    rejections: rejections.map(({ line, column, value, reason }) => ({ line, name: column, value, reason })),
    unlisted_rejections: unlisted,
  };
}
