import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest, preParsingAsyncHookHandler, RouteShorthandOptions } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import type { BodyMemory } from '../gate/body-memory.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { merchantQueue, type QueueServices, queuedRequest } from '../gate/request-queue.ts';
import { tokensBeforeBody } from '../parameters/read.ts';
import { MAX_BODY_BYTES } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { type AuthenticationServices, authenticate } from './authenticate.ts';

/**
 * Returns the options of a route that reads post data above `MAX_BODY_BYTES`, up to `bodyLimit`, and reserves
 * memory for it, only if its sender is known. `findQueue` resolves to the sender's queue, or to the error of
 * post data that turns out to be that large.
 */
export function acceptLargePostData(
  bodyMemory: BodyMemory,
  bodyLimit: number | undefined,
  findQueue: (request: FastifyRequest) => Promise<string | DomainError>,
): Pick<RouteShorthandOptions, 'bodyLimit' | 'preParsing'> {
  if (bodyLimit === undefined) return {};
  const preParsing: preParsingAsyncHookHandler = async (request, reply, payload) => {
    const announced = announcedBytes(request.raw);
    // Fastify refuses what is too large before it is read.
    if (announced <= MAX_BODY_BYTES || (announced > bodyLimit && Number.isFinite(announced))) return payload;
    const queue = await findQueue(request);
    if (queue instanceof DomainError) {
      if (Number.isFinite(announced)) throw queue;
      return failAfter(payload as Readable, MAX_BODY_BYTES, { error: queue, response: reply.raw });
    }
    bodyMemory.reserve(queue, Math.min(announced, bodyLimit) - MAX_BODY_BYTES, request, reply);
    return payload;
  };
  return { bodyLimit, preParsing };
}

/** Returns a `findQueue` for endpoints whose token may be in the query, the header or the post data. */
export function queueBeforePostData(
  services: AuthenticationServices & QueueServices & { overloadControl: OverloadControl },
): (request: FastifyRequest) => Promise<string | DomainError> {
  const missing = requestErrors.token_missing_before_post_data;
  return async (request) => {
    const tokens = tokensBeforeBody(request);
    if (tokens.length === 0) return missing();
    const { caller } = await services.overloadControl.run(
      () => authenticate(services, request, tokens, missing),
      queuedRequest(services, request.raw),
    );
    return merchantQueue(caller.merchantId);
  };
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
