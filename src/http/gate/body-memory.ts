import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Tally } from '../../shared/tally.ts';
import { MAX_BODY_BYTES } from '../request-limits.ts';
import { OVERLOADED } from '../responses/errors.ts';
import type { OverloadControl } from './overload-control.ts';
import { kindOf } from './queued-requests.ts';
import { type QueueServices, queueOf } from './request-queue.ts';

const MIB = 1024 * 1024;
/** The memory that large post data may use: of one merchant or network, and of all merchants or all networks. */
const MAX_OF_QUEUE = 32 * MIB;
const MAX_OF_KIND = 256 * MIB;

/**
 * Bounds the memory of post data that may be larger than `MAX_BODY_BYTES`. Clients can send it slowly, and before their
 * token is checked. So a request reserves the size that it announces, or the maximum, until it is over. Requests without
 * a known token have a share of their own, so that they never use up that of merchants.
 */
export function limitBodyMemory(
  app: FastifyInstance,
  services: QueueServices & { overloadControl: OverloadControl },
): void {
  const ofQueues = new Tally<string>();
  const ofKinds = new Tally<string>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const maximum = request.routeOptions.config.endpoint?.bodyLimit ?? 0;
    const bytes = Math.min(announcedBytes(request.raw), maximum) - MAX_BODY_BYTES;
    const { socket } = request.raw;
    if (bytes <= 0 || socket.destroyed) return done(null, payload);
    const queue = queueOf(services, request.raw);
    const kind = kindOf(queue);
    if (ofQueues.of(queue) + bytes > MAX_OF_QUEUE || ofKinds.of(kind) + bytes > MAX_OF_KIND) {
      services.overloadControl.noteShed();
      return done(OVERLOADED);
    }
    ofQueues.add(queue, bytes);
    ofKinds.add(kind, bytes);
    const release = (): void => {
      reply.raw.off('close', release);
      socket.off('close', release);
      ofQueues.subtract(queue, bytes);
      ofKinds.subtract(kind, bytes);
    };
    reply.raw.once('close', release);
    // A response that waits for those of earlier requests on its connection does not close with it.
    socket.once('close', release);
    done(null, payload);
  });
}

/** Returns the size of a request's post data; infinity if it does not say. */
function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}
