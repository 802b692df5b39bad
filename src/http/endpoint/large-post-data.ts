import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { preParsingAsyncHookHandler, RouteShorthandOptions } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import type { BodyMemory } from '../gate/body-memory.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { merchantQueue, type QueueServices, queuedRequest } from '../gate/request-queue.ts';
import { MAX_BODY_BYTES } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import type { Authentication, EndpointCaller } from './authentication.ts';

interface LargePostDataServices extends QueueServices {
  authentication: Pick<Authentication<EndpointCaller, never>, 'authenticateBeforePostData'>;
  overloadControl: OverloadControl;
  bodyMemory: BodyMemory;
}

/**
 * Returns the options of a route that reads post data above `MAX_BODY_BYTES`, up to `bodyLimit`, and reserves
 * memory for it, only if its sender is known.
 */
export function acceptLargePostData(
  services: LargePostDataServices,
  bodyLimit: number | undefined,
): Pick<RouteShorthandOptions, 'bodyLimit' | 'preParsing'> {
  if (bodyLimit === undefined) return {};
  const { authentication, bodyMemory, overloadControl } = services;
  const preParsing: preParsingAsyncHookHandler = async (request, reply, payload) => {
    const announced = announcedBytes(request.raw);
    // Fastify refuses what is too large before it is read.
    if (announced <= MAX_BODY_BYTES || (announced > bodyLimit && Number.isFinite(announced))) return payload;
    const caller = await overloadControl.run(
      () => authentication.authenticateBeforePostData({ request, reply }),
      queuedRequest(services, request.raw),
    );
    if (caller instanceof DomainError) {
      if (Number.isFinite(announced)) throw caller;
      return failAfter(payload as Readable, MAX_BODY_BYTES, { error: caller, response: reply.raw });
    }
    const queue = merchantQueue(caller.merchantId);
    bodyMemory.reserve(queue, Math.min(announced, bodyLimit) - MAX_BODY_BYTES, request, reply);
    return payload;
  };
  return { bodyLimit, preParsing };
}

function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/** Fails with `error` after `maximum` bytes. The rest is discarded then, and after `response`. */
function failAfter(
  payload: Readable,
  maximum: number,
  { error, response }: { error: DomainError; response: ServerResponse },
): Readable {
  const discardRest = (): void => {
    payload.unpipe(limited);
    payload.resume();
  };
  let received = 0;
  const limited = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      received += chunk.length;
      if (received <= maximum) return done(null, chunk);
      discardRest();
      done(error);
    },
  });
  // Nothing reads the stream of a request that its headers refuse, such as a malformed Content-Type.
  limited.on('error', () => {});
  response.once('finish', discardRest);
  payload.on('error', (failure) => limited.destroy(failure));
  payload.on('close', () => {
    if (!payload.readableEnded) limited.destroy(requestErrors.malformed_request());
  });
  return payload.pipe(limited);
}
