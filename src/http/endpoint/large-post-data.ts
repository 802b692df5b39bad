import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
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
      return failAfter(MAX_BODY_BYTES, caller, { payload: payload as Readable, response: reply.raw });
    }
    const bytes = Math.min(announced, bodyLimit) - MAX_BODY_BYTES;
    const withdrawn = bodyMemory.reserve(merchantQueue(caller.merchantId), bytes, request, reply);
    const { stream, fail } = relay({ payload: payload as Readable, response: reply.raw });
    withdrawn.addEventListener('abort', () => fail(requestErrors.overloaded()), { once: true });
    return stream;
  };
  return { bodyLimit, preParsing };
}

/** Returns the size of a request's post data, infinite for chunked post data. */
export function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

interface Exchange {
  payload: Readable;
  response: ServerResponse;
}

/** Passes on a payload of up to `maximum` bytes, and fails with `error` if there are more. */
function failAfter(maximum: number, error: DomainError, exchange: Exchange): Readable {
  const { stream, fail } = relay(exchange);
  let received = 0;
  exchange.payload.on('data', ({ length }: Buffer) => {
    received += length;
    if (received > maximum) fail(error);
  });
  return stream;
}

/** Passes on a payload until `fail` is called. The rest is discarded then, and after `response`. */
function relay({ payload, response }: Exchange): { stream: Readable; fail: (error: DomainError) => void } {
  const stream = new PassThrough();
  const discardRest = (): void => {
    payload.unpipe(stream);
    payload.resume();
  };
  // Nothing reads the stream of a request that its headers refuse, such as a malformed Content-Type.
  stream.on('error', () => {});
  response.once('finish', discardRest);
  payload.on('error', (failure) => stream.destroy(failure));
  payload.on('close', () => {
    if (!payload.readableEnded) stream.destroy(requestErrors.malformed_request());
  });
  payload.pipe(stream);
  const fail = (error: DomainError): void => {
    discardRest();
    stream.destroy(error);
  };
  return { stream, fail };
}
