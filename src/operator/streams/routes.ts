import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import { acceptStreams } from '../../http/parameters/incoming-file.ts';
import { contextOf } from '../../http/request-context.ts';
import { sendJson } from '../../http/responses/respond.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import {
  productStream,
  type StreamSummary,
  scheduleStream,
  streamProductsReference,
  streamSchedulesReference,
} from './references.ts';
import type { StreamImports } from './stream-import.ts';
import type { StreamResult } from './stream-messages.ts';

export function operatorStreamRoutes(
  app: FastifyInstance,
  services: OperatorWriteServices & { metrics: Metrics; streams: StreamImports },
): void {
  const { database, metrics, overloadControl, streams } = services;
  const kinds = [
    { kind: 'products', stream: productStream, reference: streamProductsReference },
    { kind: 'schedules', stream: scheduleStream, reference: streamSchedulesReference },
  ] as const;
  // A scope of its own, so that no other endpoint accepts a streamed body.
  app.register(async (scope) => {
    acceptStreams(scope);
    for (const { kind, stream, reference } of kinds) {
      registerOperatorEndpoint(scope, services, {
        method: 'POST',
        path: `/merchants/{external_id}/${kind}`,
        pathParameters: merchantInPath,
        parameters: {},
        stream,
        scope: 'catalog',
        statuses: [200, 404, 408, 409],
        reference,
        handle: async ({ request, reply, path }) => {
          const { id: merchantId, suspended_at } = await requireMerchant(database, path);
          if (suspended_at !== null) throw errors.merchant_suspended();
          const body = request.body as Readable;
          const isCompressed = request.headers['content-encoding'] === 'gzip';
          const result = await overloadControl.runOutside(() =>
            withoutTimeLimit(request, () => streams.run({ merchantId, kind, body, isCompressed })),
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
